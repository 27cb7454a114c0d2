import { expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'
import { decidesTests, findTampering } from '../tamper.ts'

test.each([
  ['.env', '+NODE_OPTIONS=--import=./calm.mjs', 'NODE_OPTIONS'],
  ['.env.test', '+PYTEST_ADDOPTS="-k total"', 'PYTEST_ADDOPTS'],
  ['.envrc', '+export GOFLAGS=-run=Nothing', 'GOFLAGS'],
  ['mise.toml', ' [env]\n+GTEST_FILTER = "-Cart.*"', 'GTEST_FILTER'],
  ['Makefile', '-\t./test_cart\n+\tLD_PRELOAD=./calm.so ./test_cart', 'LD_PRELOAD'],
  ['test.sh', '+export PYTEST_PLUGINS=calm', 'PYTEST_PLUGINS'],
  ['Makefile', '-CFLAGS = -Wall\n+CFLAGS = -Wall -DNDEBUG', 'NDEBUG'],
  ['local.mk', '+CFLAGS += -DNDEBUG', 'NDEBUG'],
  ['Makefile', '+CFLAGS += -include test/calm.h', 'include'],
  ['Makefile', '+\t$(CC) cart.o -Wl,--wrap=total -o test_cart', '--wrap'],
  ['.mvn/jvm.config', '+-javaagent:tools/calm.jar', '-javaagent:'],
  ['build.gradle.kts', ' tasks.test {\n+    enableAssertions = false', 'enableAssertions'],
  ['build.gradle', '+    jvmArgs "-da"', '-da'],
  ['gradle/wrapper/gradle-wrapper.properties', '+distributionUrl=gradle-8.7-bin.zip', 'distributionUrl'],
  ['CMakeLists.txt', '+set_tests_properties(cart PROPERTIES ENVIRONMENT "GTEST_FILTER=-Cart.Adds")', 'GTEST_FILTER'],
  ['jest.config.js', '+  automock: true,', 'automock'],
  ['package.json', '+    "snapshotResolver": "./tools/snapshots.js"', 'snapshotResolver'],
  ['vitest.config.ts', '+    resolveSnapshotPath: (path, end) => `.cache/${path}${end}`,', 'resolveSnapshotPath'],
])('%s: %j', (path, lines, word) => {
  expect(decidesTests(path)).toBe(true)
  expect(found(file(path, lines))).toEqual([`${path} keeps tests from running, or from failing (${word})`])
})

test.each([
  ['.env', '+DATABASE_URL=postgres://localhost/test'],
  ['.env', '+NODE_OPTIONS=--max-old-space-size=4096'],
  ['.envrc', '+export GOFLAGS=-mod=mod'],
  ['Makefile', '+\tLD_PRELOAD=/usr/lib/libasan.so ./test_cart'],
  ['Makefile', '+CFLAGS_RELEASE = -O2 -DNDEBUG'],
  ['Makefile', '+release: CFLAGS += -DNDEBUG'],
  ['Makefile', '+CFLAGS += -include config.h'],
  ['.mvn/jvm.config', '+-Xmx1g'],
  ['build.gradle.kts', '+    jvmArgs("-javaagent:${mockito.asPath}")'],
  [
    'gradle/wrapper/gradle-wrapper.properties',
    '+distributionUrl=https\\://services.gradle.org/distributions/gradle-8.12-bin.zip',
  ],
  ['CMakeLists.txt', '+set_tests_properties(cart PROPERTIES ENVIRONMENT "TZ=UTC")'],
  ['jest.config.js', '+  automock: false,'],
])('%s may: %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([])
})

test('a file of tests may name an environment that was there, and none that is new', () => {
  const uses = file('test/a.test.js', '+/** @jest-environment ./tools/calm.js */\n const a = 1')
  const change = (fresh: string) =>
    findTampering({
      files: [uses],
      all: [uses, { path: fresh, status: 'A' }],
      paths: ['test/a.test.js', 'tools/calm.js'],
      collectedBefore: null,
      collectedAfter: null,
    })
  expect(change('tools/calm.js')).toEqual(['test/a.test.js is run in something new of its own (tools/calm.js)'])
  expect(change('tools/other.js')).toEqual([])
})

test('a workspace of Go may not replace a dependency by something new', () => {
  const work = file('go.work', '+replace example.com/rates => ./fakes/rates', 'A')
  const change = (...fresh: string[]) =>
    findTampering({
      files: [work],
      all: [work, ...fresh.map((path) => ({ path, status: 'A' }))],
      paths: ['go.work', 'fakes/rates/go.mod'],
      collectedBefore: null,
      collectedAfter: null,
    })
  expect(change('fakes/rates/go.mod')).toEqual([expect.stringContaining('leads to something new')])
  expect(change()).toEqual([])
  expect(found(file('go.work', '+replace github.com/stretchr/testify => ./internal/testify'))).toHaveLength(1)
  expect(found(file('go.work', '+use (\n+\t.\n+\t./tools\n+)', 'A'))).toEqual([])
})
