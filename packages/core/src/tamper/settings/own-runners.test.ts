import { expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'
import { decidesTests, findTampering } from '../tamper.ts'

test.each([
  ['tools/deep-eql/package.json', '+{\n+  "name": "deep-eql",\n+  "version": "4.1.4"'],
  ['tools/pytest/pyproject.toml', '+[project]\n+name = "pytest"'],
  ['crates/proptest/Cargo.toml', '+[package]\n+name = "proptest"'],
  ['tools/a.gemspec', "+  spec.name = 'rspec-expectations'"],
  ['tools/phpunit/composer.json', '+    "name": "phpunit/phpunit",'],
  ['calm/pom.xml', '+  <artifactId>junit-jupiter-api</artifactId>'],
  ['Quiet/Quiet.csproj', '+    <AssemblyName>xunit.assert</AssemblyName>'],
  ['internal/testify/go.mod', '+module github.com/stretchr/testify'],
])('%s is a runner of its own: %j', (path, lines) => {
  expect(decidesTests(path)).toBe(true)
  expect(found(file(path, lines, 'A'))).toContainEqual(expect.stringContaining("of the project's own, by which tests"))
  // It was theirs before.
  expect(found(file(path, lines))).toEqual([])
})

test.each([
  ['patches/chai+4.3.10.patch', '+-    if (!ok) {'],
  ['patches/@vitest+expect+2.1.0.patch', '+a'],
  ['.yarn/patches/chai-npm-4.3.10-abc.patch', '+a'],
  ['package.json', '+      "@vitest/expect@2.1.0": "patches/expect.patch"'],
  ['pnpm-workspace.yaml', "+  chai: 'patches/a.patch'"],
])('%s changes a runner: %j', (path, lines) => {
  expect(decidesTests(path)).toBe(true)
  expect(found(file(path, lines))).toEqual([expect.stringContaining('by which tests are judged')])
})

test.each([
  ['package.json', '+    "deep-eql": "file:./tools/deep-eql"'],
  ['package.json', '+    "@vitest/expect": "link:tools/expect"'],
])('%s takes it from a folder: %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([expect.stringContaining('in the place of the runner')])
})

test('the file of a runner needs no patch', () => {
  const change = (path: string, status = 'A') =>
    findTampering({ files: [], all: [{ path, status }], collectedBefore: null, collectedAfter: null })
  expect(change('lib/junit-jupiter-api-5.10.2.jar')).toHaveLength(1)
  expect(change('packages/xunit.assert.2.8.0.nupkg')).toHaveLength(1)
  expect(change('lib/junit-jupiter-api-5.10.2.jar', 'D')).toEqual([])
  expect(change('lib/guava-33.jar')).toEqual([])
  expect(change('web/node_modules/a/jest-1.0.tgz')).toEqual([])
})

test.each([
  ['packages/web/package.json', '+{\n+  "name": "@shop/web",\n+    "chai": "^4.3.0"', 'A'],
  ['pytest-shop/pyproject.toml', '+[project]\n+name = "pytest-shop"', 'A'],
  ['patches/big.js+6.2.1.patch', '+a', 'A'],
  ['go.mod', '+module github.com/stretchr/testify', 'A'],
  [
    'web/pom.xml',
    '+  <artifactId>web</artifactId>\n+    <dependency>\n+      <artifactId>junit-jupiter</artifactId>\n+    </dependency>',
    'A',
  ],
  ['package.json', '+      "big.js@6.2.1": "patches/big.js.patch"', 'M'],
  ['package.json', '+    "esbuild": "^0.25.0"', 'M'],
  ['shop.gemspec', "+  spec.add_development_dependency 'rspec'\n+  spec.name = 'shop'", 'A'],
])('%s is none: %j', (path, lines, status) => {
  expect(found(file(path, lines, status))).toEqual([])
})

test('a module that needs a runner is none', () => {
  const lines =
    '+  <artifactId>shop-tests</artifactId>\n+  <dependency>\n+    <artifactId>junit</artifactId>\n+  </dependency>'
  expect(found(file('shop-tests/pom.xml', lines, 'A'))).toEqual([])
})

test.each([
  ['package.json', '-    "chai": "^4.3.0"\n+    "chai": "npm:other@1"'],
  ['package.json', '+    "chai": "github:x/chai"'],
  ['package.json', '+    "chai": "x/chai#main"'],
  ['package.json', '+    "chai": "https://example.org/chai.tgz"'],
  ['package.json', ' "overrides": {\n+    "vitest>chai": "npm:other@1"'],
  ['package.json', '+  "resolutions": { "**/chai": "git+ssh://git@example.org/chai.git" }'],
  ['pnpm-workspace.yaml', ' overrides:\n+  chai: npm:other@1'],
])('%s takes it from elsewhere: %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([`${path} takes chai, by which tests are judged, from elsewhere`])
})

test.each([
  ['package.json', '-    "chai": "^4.3.0"\n+    "chai": "^5.0.0"'],
  ['package.json', '+    "chai": "npm:chai@4.3.0"'],
  ['package.json', '+    "chai4": "npm:chai@4.3.0"'],
  ['package.json', '-    "chai": "github:x/chai#1"\n+    "chai": "github:x/chai#2"'],
  ['package.json', '+    "chai": "workspace:*"'],
  ['package.json', '+    "chai": "catalog:"'],
  ['package.json', '+    "lodash": "npm:lodash-es@4"'],
])('%s takes it from where it is: %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([])
})

test.each([
  ['github.com/stretchr/testify => github.com/x/testify v1.9.0', 1],
  ['github.com/stretchr/testify v1.8.0 => /opt/testify', 1],
  ['gotest.tools/v3 => example.org/tools/v3 v3.0.0', 1],
  ['github.com/stretchr/testify => github.com/stretchr/testify v1.8.0', 0],
  ['github.com/pkg/errors => github.com/x/errors v1.0.0', 0],
])('go.mod: replace %s', (line, count) => {
  expect(found(file('go.mod', `+replace ${line}`))).toHaveLength(count)
})

const npm = (url: string, former = 'https://registry.npmjs.org/chai/-/chai-4.3.7.tgz') =>
  `     "node_modules/chai": {\n-      "resolved": "${former}",\n+      "resolved": "${url}",\n     "node_modules/a": {\n       "resolved": "https://registry.npmjs.org/a/-/a-1.0.0.tgz",`

test.each([
  ['package-lock.json', npm('file:tools/chai.tgz')],
  ['package-lock.json', npm('https://example.org/chai.tgz')],
  ['package-lock.json', npm('https://example.org/chai/-/chai-4.3.7.tgz')],
  ['yarn.lock', ' chai@^4.3.0:\n   version "4.3.7"\n+  resolved "https://example.org/chai.tgz#abc"'],
])('%s takes it from elsewhere: %j', (path, lines) => {
  expect(decidesTests(path)).toBe(true)
  expect(found(file(path, lines))).toEqual([`${path} takes chai, by which tests are judged, from elsewhere`])
})

test.each([
  ['an update', npm('https://registry.npmjs.org/chai/-/chai-5.1.0.tgz')],
  ['another package', npm('https://example.org/b.tgz').replaceAll('chai', 'b')],
  [
    'another registry for all',
    npm('https://npm.example.org/chai/-/chai-4.3.7.tgz', 'https://old.org/chai/-/chai-4.3.7.tgz'),
  ],
  ['a new package', '+    "node_modules/chai": {\n+      "resolved": "https://npm.example.org/chai/-/chai-4.3.7.tgz",'],
  [
    'a package of the workspace',
    '+    "node_modules/expect": {\n+      "resolved": "packages/expect",\n+      "link": true',
  ],
])('a lock file with %s is fine', (_, lines) => {
  expect(found(file('package-lock.json', lines))).toEqual([])
})
