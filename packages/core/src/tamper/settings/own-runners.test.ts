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
