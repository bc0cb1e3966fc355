"""Each test has a world of its own, and moves its clock."""

import os
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from perennial_testing import StoreError

START = datetime(2026, 1, 31, 10, tzinfo=timezone.utc)


@pytest.mark.parametrize("turn", [1, 2])
def test_nothing_of_the_test_before_is_left(store, notifications, turn):
    assert store.now() == START
    assert store.connect("GET", "/customers")["customers"] == []
    assert store.connect("GET", "/faults")["faults"] == []
    assert notifications.names == []
    store.faults.repeat()
    store.configure(gracePeriod="SIXTEEN_DAYS")
    store.customer("ada").buy("pro.monthly")
    store.advance("P1Y")
    assert len(notifications.all) == 26


@pytest.mark.skipif(not Path("/proc/thread-self/children").exists(), reason="needs Linux's /proc")
def test_a_fresh_world_takes_less_than_a_tenth_of_a_second(perennial_store, store):
    """Counts processor time, so that other load on the machine does not matter."""
    keeper = perennial_store._keeper.pid
    program = int(Path(f"/proc/{keeper}/task/{keeper}/children").read_text())
    store.customer().buy("pro.monthly")
    store.advance("P5Y")
    began = processor_seconds(program)
    for _ in range(9):
        perennial_store.rewind()
    assert 0 < processor_seconds(program) - began < 9 * 0.1


def processor_seconds(process):
    """How long a process was computing, for itself and in the system (proc_pid_stat(5))."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_the_clock_moves_by_a_duration_to_a_moment_and_to_a_notification(store, advance):
    assert advance("P1D") == START + timedelta(days=1) == store.now()
    assert store.advance_to("2026-02-02T00:00:00Z") == datetime(2026, 2, 2, tzinfo=timezone.utc)
    assert store.advance_to(START + timedelta(days=3)) == START + timedelta(days=3)
    bought = store.customer().buy("pro.monthly")
    store.send_notifications_to("http://127.0.0.1:9/nobody")
    assert store.advance_until("DID_RENEW") == bought.expires


def test_the_clock_does_not_go_back_and_takes_no_moment_without_a_zone(store):
    with pytest.raises(StoreError) as refused:
        store.advance_to(START - timedelta(days=1))
    assert refused.value.error == "clockWouldGoBack" and refused.value.status == 409
    with pytest.raises(ValueError, match="no time zone"):
        store.advance_to(datetime(2026, 3, 1))
    assert store.now() == START


def test_sandbox_is_another_environment_of_the_same_store(store, notifications):
    bought = store.sandbox.customer().buy("pro.monthly")
    assert bought.payload["environment"] == "Sandbox"
    assert bought.expires - START == timedelta(minutes=5)
    assert notifications.wait_for("SUBSCRIBED").payload["data"]["environment"] == "Sandbox"
    assert store.connect("GET", "/customers")["customers"] == []


def test_a_store_that_is_gone_is_said(perennial_store):
    from perennial_testing import Store
    url = "http://127.0.0.1:9"
    ready = perennial_store.ready | {"production": {"url": url}}
    with pytest.raises(StoreError, match=f"no store answers at {url}"):
        Store(ready).now()
