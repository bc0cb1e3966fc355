# Thin on purpose: each target is the commands that one would type.
# `make run` tries the store with a merchant beside it, `make test` tests it, `make conformance` drives it with Apple's own
# client library and with requests made of its descriptions, `make clients` tests the packages that
# developers test their servers with, `make campaign-table` plays a price campaign for
# subscribers of every kind, `make pages` drives its console with browsers,
# `make simulate SEEDS=1000` tries to break it with random worlds, `make kills KILLS=50`
# by killing one of several processes again and again, `make fuzz` by feeding its parsers,
# `make bench` measures it, `make format` and `make lint` keep the code even.

# Where nobody sits with a debugger nothing is written for one, and Package.swift has optimised what
# every check goes through. A compiler takes 60 files of a module at once, not 25, and one batch after
# the other, since another module is compiled beside: what each of its processes has to read first
# is a quarter of its work. Nor does an editor look anything up: what C++ headers declare is left
# out of the index, which was a third of compiling the cryptography. Of the rest another third was
# to parse the standard library 500 times over.
# Where the compiler can, its type checker prepares overloads once and not for each expression, and
# what it makes is neither verified again nor named for a debugger: each was a twentieth of compiling
# one module of tests.
ifdef CI
export PERENNIAL_OPTIMIZED := 1
CLANG := $(dir $(shell command -v swiftc))clang
STANDARD_LIBRARY := .build/standard-library.pch
FRONTEND_OPTIONS := $(filter -solver-enable-prepared-overloads -disable-llvm-verify \
	-disable-llvm-value-names -disable-debugger-shadow-copies, \
	$(shell swiftc -frontend -help-hidden))
endif
STRICT := --explicit-target-dependency-import-check error $(if $(CI),-debug-info-format none \
	-Xswiftc -driver-batch-size-limit -Xswiftc 60 -Xswiftc -j1 \
	$(addprefix -Xswiftc -Xfrontend -Xswiftc ,$(FRONTEND_OPTIONS)) \
	-Xcxx -index-ignore-system-symbols -Xcxx -index-ignore-macros)
DEBUG_FLAGS := $(STRICT) $(if $(CI),-Xcxx -include-pch -Xcxx $(CURDIR)/$(STANDARD_LIBRARY))
# To make three RSA keys takes a debug build a second, and the checks start hundreds of stores.
export PERENNIAL_CERTIFICATES ?= $(CURDIR)/.build/certificates
SWIFT_CODE := Sources Tests Package.swift $(wildcard Benchmarks/Sources Benchmarks/Package.swift \
	Benchmarks/AppleLibrary/Sources Benchmarks/AppleLibrary/Package.swift \
	Fuzzing/Sources Fuzzing/Package.swift)

.PHONY: run build fetch test simulate kills fuzz conformance campaign-table clients pages \
	pages-whole screenshots bench package wheel events mails format lint deps deps-test \
	deps-conformance deps-pages deps-package clean

run: export PERENNIAL_CERTIFICATES :=
run: build
	.build/debug/perennial dev Examples/Garden.storekit --example

build: deps
	swift build $(DEBUG_FLAGS)

# By make and with the build's options: SwiftPM keeps the manifests of packages that it has compiled
# for the same variables and options alone.
fetch:
	swift package $(DEBUG_FLAGS) resolve

# Read by the compiler of the package's C++, which must be the one that wrote it.
deps deps-test: $(STANDARD_LIBRARY)
.build/standard-library.pch: $(wildcard $(CLANG))
	mkdir -p .build
	printf '#include <%s>\n' algorithm array atomic iterator memory string_view utility \
		assert.h inttypes.h limits.h stdio.h stdlib.h string.h >.build/standard-library.hh
	$(CLANG) -x c++-header -std=c++17 -O0 -g0 -fPIC -fblocks \
		-DSWIFT_PACKAGE=1 -DDEBUG=1 -fno-omit-frame-pointer .build/standard-library.hh -o $@

# So many tests at once: without a limit all begin together, and a slow machine lets them wait for
# each other until real connections give up.
test: deps-test
	scripts/opensmtpd .build/opensmtpd
	swift build --build-tests $(DEBUG_FLAGS)
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=6 \
		scripts/test-postgres run swift test --skip-build --disable-xctest $(DEBUG_FLAGS)

# In debug mode on purpose: release is half as fast again, and takes a quarter of an hour to build.
# Begins at a random seed, which it prints; ARGS="--from 20000" begins there.
SEEDS ?= 100
simulate: deps
	swift build --product simulate $(DEBUG_FLAGS)
	.build/debug/simulate --seeds $(SEEDS) $(ARGS)

# Stores first, then merchants, then the outage campaign of a merchant, which has kills of its own
# since each start reads what was missed. SEED repeats the moments of a run as far as the machine does.
PROCESSES ?= 4
CUSTOMERS ?= 20000
MERCHANT_CUSTOMERS ?= 300
KILLS ?= 50
OUTAGE_SUBSCRIBERS ?= 100000
OUTAGE_KILLS ?= 10
kills: deps-test
	swift build --build-tests $(DEBUG_FLAGS)
	PERENNIAL_KILLS_PROCESSES=$(PROCESSES) PERENNIAL_KILLS_CUSTOMERS=$(CUSTOMERS) \
		PERENNIAL_KILLS_MERCHANT_CUSTOMERS=$(MERCHANT_CUSTOMERS) \
		PERENNIAL_KILLS_OUTAGE_SUBSCRIBERS=$(OUTAGE_SUBSCRIBERS) \
		PERENNIAL_KILLS_OUTAGE_KILLS=$(OUTAGE_KILLS) \
		PERENNIAL_KILLS_KILLS=$(KILLS) PERENNIAL_KILLS_SEED=$(SEED) \
		scripts/test-postgres run swift test --skip-build --disable-xctest $(DEBUG_FLAGS) \
		--filter FleetCrashTests --filter MerchantKillTests --filter OutageKillTests

# Each parser for so many seconds; what it grows on is kept in Fuzzing/.build/corpus, so that the
# next run goes on from there. An input that breaks one is left in Fuzzing/.build as crash-….
SECONDS_EACH ?= 60
PARSERS ?= receipt jws json
SEEDS_receipt := Tests/AppStoreSigningTests/Golden
SEEDS_jws := Fuzzing/Seeds/jws
SEEDS_json := Tests/AppStoreWireTests/Golden
FUZZ_LIMITS := -max_len=65536 -timeout=10 -rss_limit_mb=1024
fuzz: deps
	swift build -c release --package-path Fuzzing --sanitize fuzzer
	$(foreach parser,$(PARSERS),mkdir -p Fuzzing/.build/corpus/$(parser) && \
		PERENNIAL_FUZZ=$(parser) PERENNIAL_ROOT=$(CURDIR) Fuzzing/.build/release/Fuzzing \
		-max_total_time=$(SECONDS_EACH) $(FUZZ_LIMITS) -print_final_stats=1 \
		-artifact_prefix=Fuzzing/.build/ Fuzzing/.build/corpus/$(parser) $(SEEDS_$(parser)) &&) true

conformance: build .venv/installed
	scripts/test-postgres run \
		.venv/bin/python -m pytest -n auto --dist loadgroup --whole Conformance

# A price campaign for subscribers of every kind; `make conformance` plays a few of them.
campaign-table: build .venv/installed
	PERENNIAL_CAMPAIGN_TABLE=whole scripts/test-postgres run \
		.venv/bin/python -m pytest -n auto --dist loadgroup Conformance/test_campaign_table.py

# PERENNIAL names another program than the one that was built.
clients: export PERENNIAL ?= $(CURDIR)/.build/debug/perennial
clients: build .venv-clients/installed
	cd Clients/python && ../../.venv-clients/bin/mypy src
	cd Clients/python && ../../.venv-clients/bin/python -m pytest

pages: build .venv-pages/installed
	.venv-pages/bin/python -m pytest -n auto --dist loadgroup --no-loadscope-reorder Browser

# And every page of customers and merchants, in four languages and two browsers.
pages-whole: export PERENNIAL_PAGES = whole
pages-whole: pages

# Pictures for people to look at: no two machines draw the same.
screenshots: build .venv-pages/installed
	.venv-pages/bin/python Browser/screenshots.py docs/images

# APPLE_LIBRARY names a checkout of apple/app-store-server-library-swift, which is then timed beside
# our own verification.
APPLE_PROGRAM := Benchmarks/AppleLibrary/.build/release/AppleLibrary
bench: deps
	$(if $(APPLE_LIBRARY),APPLE_LIBRARY=$(abspath $(APPLE_LIBRARY)) \
		swift build -c release --package-path Benchmarks/AppleLibrary)
	swift run -c release --package-path Benchmarks $(STRICT) Benchmarks \
		$(if $(APPLE_LIBRARY),--apple-library $(CURDIR)/$(APPLE_PROGRAM)) $(ARGS)

# A Debian package and a tarball in dist/. The Swift runtime is linked in, and its names are not
# exported: nobody looks them up, and they would be a tenth of the program.
package: deps deps-package
	swift build -c release --product perennial --static-swift-stdlib -debug-info-format none \
		-Xlinker --no-export-dynamic $(STRICT)
	scripts/package .build/release/perennial

# The pytest plugin with the program inside, also in dist/, for who has Python alone.
wheel: package .venv-package/installed
	.venv-package/bin/python scripts/package-wheel dist/perennial-*-$$(uname -m).tar.gz

# Plays the rows of docs/events.md and writes the page anew; `make test` compares it.
events: deps-test
	PERENNIAL_WRITE_EVENTS=1 swift test --disable-xctest --filter EventTableTests $(DEBUG_FLAGS)

# Writes the mails of the tests anew, for people to read what has changed; `make test` compares them.
mails: deps-test
	PERENNIAL_WRITE_MAILS=$(CURDIR)/Tests swift test --disable-xctest \
		--filter MessageTests --filter MailGoldenTests $(DEBUG_FLAGS)

format:
	swift format -i -r -p $(SWIFT_CODE)

lint:
	swift format lint -r --strict -p $(SWIFT_CODE)

# What the machine must have; what is missing is named, and installed where apt can.
deps:
	scripts/deps build
deps-test:
	scripts/deps build test
deps-conformance:
	scripts/deps conformance
deps-pages:
	scripts/deps pages
deps-package:
	scripts/deps package

.venv/installed: Conformance/requirements.txt | deps-conformance
	python3 -m venv --clear .venv
	.venv/bin/pip install --disable-pip-version-check -r Conformance/requirements.txt
	touch $@

.venv-clients/installed: Clients/python/requirements.txt Clients/python/pyproject.toml \
		| deps-conformance
	python3 -m venv --clear .venv-clients
	.venv-clients/bin/pip install --disable-pip-version-check -r $<
	.venv-clients/bin/pip install --disable-pip-version-check --no-build-isolation --no-deps \
		-e Clients/python
	touch $@

.venv-pages/installed: Browser/requirements.txt | deps-pages
	python3 -m venv --clear .venv-pages
	.venv-pages/bin/pip install --disable-pip-version-check -r Browser/requirements.txt
	touch $@

.venv-package/installed: packaging/requirements.txt | deps-package
	python3 -m venv --clear .venv-package
	.venv-package/bin/pip install --disable-pip-version-check -r $<
	touch $@

clean:
	rm -rf .build dist Benchmarks/.build Benchmarks/AppleLibrary/.build Fuzzing/.build .venv .venv-pages .venv-clients .venv-package
