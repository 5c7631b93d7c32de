# The commands that everybody uses; CONTRIBUTING.md says what each is for.

SHELL := /bin/bash
RELEASE := swift build -c release --static-swift-stdlib

.PHONY: run build web test browsers bench check setup simulate torture fuzz openapi

run: build
	@Scripts/run

build: web
	@$(RELEASE) --product switchboard

check: setup-tests
	@Scripts/check

test: setup-tests
	@Scripts/test

browsers: build setup-tests
	@Scripts/browsers

bench: setup-tests
	@Scripts/bench

# Long forms of what `make test` runs shortly.
simulate: setup
	@Scripts/simulate 10000

torture: setup-tests
	@Scripts/torture 100

openapi: build setup-tests
	@Scripts/openapi 300

fuzz: setup-tests
	@Scripts/fuzz 1200

# The web app, into Web/.dist, which the program embeds.
web: setup
	@Scripts/web

setup:
	@Scripts/setup program

setup-tests:
	@Scripts/setup program tests
.PHONY: setup-tests
