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

export LIVENESS_MODEL := $(MODEL)
export LIVENESS_PYTHON := $(abspath $(PYTHON))

# What compiles and runs the programs.
BUILD_PACKAGES := pkg-config libdlib-dev libturbojpeg0-dev libv4l-dev libtomlplusplus-dev libavformat-dev \
	libavcodec-dev libavutil-dev libswscale-dev libsystemd-dev libssl-dev python3 python3-pip python3-venv \
	ca-certificates
# What the tests and figures use beside them: a browser that plays the clip, an emulated old processor, memory checks.
TEST_PACKAGES := chromium ffmpeg qemu-user

.PHONY: help setup build demo test test-long test-fresh test-sanitize lint bench clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install Debian packages, the landmark model and Python clients; skips what is there
	@Tools/install-packages.sh "$(SUDO)" $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@[ -w "$(dir $(MODEL))" ] || [ -f "$(MODEL)" ] || $(SUDO) install -d -o "$$(id -un)" "$(dir $(MODEL))"
	@Tools/fetch-model.sh "$(MODEL)"
	@Tools/make-venv.sh "$(VENV)" Tools/python-packages.txt

build: setup ## Build everything, tests included
	swift build --build-tests $(BUILD_FLAGS)

clean: ## Remove what was built and rendered
	rm -rf .build .cache out
