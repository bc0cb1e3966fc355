#!/bin/bash
# opensmtpd.sh SMTPD FOLDER PORT NEXT: runs OpenSMTPD in front of the relay at the port NEXT.
#
# It wants users of its own and folders at fixed places. In a mount namespace of its own it finds
# them, and the machine's stay as they are; `unshare --mount` has made that already.
set -euo pipefail
smtpd=$1 folder=$2 port=$3 next=$4
empty=/var/lib/opensmtpd/empty

cp /etc/passwd /etc/group "$folder/"
for user in opensmtpd:64001 opensmtpq:64002; do
    name=${user%:*} number=${user#*:}
    grep -q "^$name:" "$folder/group" || echo "$name:x:$number:" >> "$folder/group"
    grep -q "^$name:" "$folder/passwd" \
        || echo "$name:x:$number:$number::$empty:/bin/false" >> "$folder/passwd"
done
mount --bind "$folder/passwd" /etc/passwd
mount --bind "$folder/group" /etc/group
for place in /run /var/spool /var/lib; do mount -t tmpfs -o mode=755 tmpfs "$place"; done
mkdir -p "$empty" /var/spool/smtpd
chmod 711 /var/spool/smtpd
cat > "$folder/smtpd.conf" <<CONFIGURATION
listen on 127.0.0.1 port $port hostname relay.test
action "on" relay host "smtp://127.0.0.1:$next" helo relay.test
match from any for domain "example.com" action "on"
CONFIGURATION
exec "$smtpd" -d -f "$folder/smtpd.conf"
