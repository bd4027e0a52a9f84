# Two commands matter: `make demo` shows the whole job on this machine, `make test` runs the tests.
# Everything that a fresh Debian 12 with Swift lacks is installed by `make setup`, which both run first.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
MODEL ?= /var/lib/liveness/models/shape_predictor_68_face_landmarks.dat
VENV := .cache/venv
PYTHON := $(VENV)/bin/python
BUILD_FLAGS := -Xswiftc -warnings-as-errors
DEBUG := .build/debug

export LIVENESS_MODEL := $(MODEL)
export LIVENESS_PYTHON := $(abspath $(PYTHON))

# What compiles and runs the programs.
BUILD_PACKAGES := pkg-config libdlib-dev libturbojpeg0-dev libv4l-dev libtomlplusplus-dev libavformat-dev \
	libavcodec-dev libavutil-dev libswscale-dev libsystemd-dev libssl-dev python3 python3-pip python3-venv \
	ca-certificates
# What the tests and figures use beside them: a browser that plays the clip, an emulated old processor, memory checks.
TEST_PACKAGES := chromium qemu-user

.PHONY: help setup build demo test test-long test-fresh test-sanitize test-nehalem test-vm lint bench clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install Debian packages, the landmark model and Python clients; skips what is there
	@Tools/install-packages.sh "$(SUDO)" $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@[ -w "$(dir $(MODEL))" ] || [ -f "$(MODEL)" ] || $(SUDO) install -d -o "$$(id -un)" "$(dir $(MODEL))"
	@Tools/fetch-model.sh "$(MODEL)"
	@Tools/make-venv.sh "$(VENV)" Tools/python-packages.txt

build: setup ## Build everything, tests included
	swift build --build-tests $(BUILD_FLAGS)

demo: setup ## Show the whole job: a synthetic person, the daemon, a client, a verdict with stills and a clip
	@swift build $(BUILD_FLAGS) --product livenessd-replay
	@swift build $(BUILD_FLAGS) --product livenessctl
	@swift build $(BUILD_FLAGS) --product synthetic-face
	@Tools/demo.sh "$(DEBUG)" out/demo "$(MODEL)"

test: build ## Run the tests; under ten minutes once built
	@Tools/run-tests.sh out/test.log --skip-build --skip LivenessServiceTests
	@# Scans in real time, one after the other, with the machine to themselves.
	@Tools/run-tests.sh out/test-service.log --skip-build --no-parallel --filter LivenessServiceTests

test-long: build lint test-sanitize test-nehalem ## Run the slow checks: sanitizers, an old processor, a fresh machine
	@if [ "$$(id -u)" = 0 ]; then Tools/test-fresh.sh; else \
		echo "SKIPPED test-fresh: needs root for debootstrap and chroot"; fi

test-fresh: ## Run setup, build and tests in a minimal Debian 12 of its own (root only)
	@Tools/test-fresh.sh

test-sanitize: setup ## Run the shims' tests under AddressSanitizer, the service's under ThreadSanitizer
	@echo "test-sanitize: AddressSanitizer"
	@LSAN_OPTIONS=suppressions=$(abspath Tools/leak-suppressions.txt) \
		Tools/run-tests.sh out/test-address.log --scratch-path .build/address --sanitize=address \
		--filter 'PlatformTests|ImagingTests|ClipTests|SettingsTests|CameraTests|FaceTrackingTests|VarlinkTests' \
		--filter 'LivenessTestKitTests|LivenessInterfaceTests'
	@echo "test-sanitize: ThreadSanitizer"
	@TSAN_OPTIONS=suppressions=$(abspath Tools/race-suppressions.txt) \
		Tools/run-tests.sh out/test-thread.log --scratch-path .build/thread --sanitize=thread --no-parallel \
		--filter 'VarlinkTests|LivenessServiceTests.(Scan|Preview|Status)'

test-nehalem: build ## Replay frames on an emulated processor without AVX
	@Tools/test-nehalem.sh "$(DEBUG)" "$(MODEL)"

test-vm: build ## Run the programs on a real kernel's camera drivers, in a virtual machine (root only)
	@Tools/test-vm.sh "$(DEBUG)" out/vm "$(MODEL)"

lint: setup ## Check the formatting, and that the release build has no warning
	swift format lint --strict --recursive Sources Tests Package.swift
	swift build -c release $(BUILD_FLAGS)

bench: setup ## Print the cost of a frame beside that of a plain Python loop, on the same frames
	@swift build -c release $(BUILD_FLAGS) --product livenessbench
	@swift build $(BUILD_FLAGS) --product synthetic-face
	@mkdir -p out && "$(DEBUG)/synthetic-face" out/bench.mp4 --seconds 10
	@.build/release/livenessbench out/bench.mp4 --model "$(MODEL)" --python "$(LIVENESS_PYTHON)" \
		--peer Tools/plain_dlib_loop.py

clean: ## Remove what was built and rendered
	rm -rf .build .cache out
