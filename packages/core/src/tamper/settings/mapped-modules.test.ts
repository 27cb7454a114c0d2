import { describe, expect, test } from 'vitest'
import { file } from '../../testing/sample-patch.ts'
import { findTampering } from '../tamper.ts'

const PATHS = ['src/cart.ts', 'web/src/cart.ts', 'test/fake.ts', 'test/style.ts', 'src/other.ts']

function found(path: string, lines: string, fresh = 'test/fake.ts'): string[] {
  const all = [
    { path: fresh, status: 'A' },
    { path, status: 'M' },
  ]
  const paths = [...PATHS, path, fresh]
  return findTampering({ files: [file(path, lines)], all, paths, collectedBefore: null, collectedAfter: null })
}

describe('settings that give tests another file', () => {
  test.each([
    ['vitest.config.ts', '+  resolve: { alias: { "./cart": "/test/fake.ts" } },'],
    ['vitest.config.ts', '+    "@/cart": path.resolve(__dirname, "test/fake.ts"),'],
    ['vitest.config.ts', '+  alias: [{ find: /.*cart/, replacement: "./test/fake.ts" }],'],
    ['jest.config.js', '+  moduleNameMapper: { "cart(\\\\.js)?$": "<rootDir>/test/fake.ts" },'],
    ['package.json', '+    ".*/cart$": "<rootDir>/test/fake.ts"'],
    ['tsconfig.json', '+      "@/cart": ["./test/fake.ts"]'],
  ])('%s: %s', (path, lines) => {
    expect(found(path, lines)).toEqual([
      expect.stringContaining(`${path} puts another file in the place of code that tests are about`),
    ])
  })

  test.each([
    ['tsconfig.json', '-      "@/*": ["./src/*"]\n+      "@/*": ["./test/fakes/*", "./src/*"]'],
    ['vitest.config.ts', "+  resolve: { alias: { '../src': new URL('./test/fakes', import.meta.url).pathname } },"],
    ['vitest.config.ts', "+  resolve: { alias: { '../src/cart': '/workspace/test/fakes/cart' } },"],
    ['package.json', '   "imports": {\n     "#cart": {\n+      "test": "./test/fakes/cart.ts",'],
  ])('without its ending, by a folder or by a condition: %s: %s', (path, lines) => {
    expect(found(path, lines, 'test/fakes/cart.ts')).toEqual([
      expect.stringContaining(`${path} puts another file in the place of code that tests are about`),
    ])
  })
  test.each([
    ['tsconfig.json', '+      "@shared/*": ["./shared/*"]', 'shared/money.ts'],
    ['tsconfig.json', '+      "@fakes/*": ["./test/fakes/*"]', 'test/fakes/cart.ts'],
    ['tsconfig.json', '+      "@own/*": ["./test/*"]', 'test/clock.ts'],
    [
      'vitest.config.ts',
      "+  resolve: { alias: { '@': new URL('./src', import.meta.url).pathname } },",
      'test/fakes/cart.ts',
    ],
    ['package.json', '   "scripts": {\n+    "test": "./test/fakes/cart.ts",', 'test/fakes/cart.ts'],
    [
      'package.json',
      '   "imports": {\n     "#cart": {\n+      "browser": "./src/cart.browser.ts",',
      'src/cart.browser.ts',
    ],
  ])('not where no test code has the name of other code: %s: %s', (path, lines, fresh) => {
    expect(found(path, lines, fresh)).toEqual([])
  })

  test('by another ending that is found first', () => {
    const lines = "+  moduleFileExtensions: ['mjs', 'ts'],"
    expect(found('jest.config.js', lines, 'src/cart.mjs')).toContainEqual(expect.stringContaining('jest.config.js'))
    expect(found('jest.config.js', lines, 'src/tax.mjs')).toEqual([])
  })

  test('even if the file is new and among the code', () => {
    expect(found('vitest.config.ts', '+  "@/cart": resolve("src/shim.ts"),', 'src/shim.ts')).toHaveLength(1)
  })

  test.each([
    ['of no code', 'jest.config.js', '+  "\\\\.css$": "<rootDir>/test/style.ts",', 'test/style.ts'],
    ['of others', 'vitest.config.ts', '+  "server-only": "./test/fake.ts",', 'test/fake.ts'],
    ['what is exported', 'package.json', '+  "./cart": "./src/cart.ts",', 'src/cart.ts'],
    ['another name of what is exported', 'package.json', '+  "@own/cart": "./src/shim.ts",', 'src/shim.ts'],
    ['what was there', 'vitest.config.ts', '+  "@/cart": "./src/other.ts",', 'test/fake.ts'],
  ])('not %s', (_, path, lines, fresh) => {
    expect(found(path, lines, fresh)).toEqual([])
  })
})

describe('a program of its own writes down the results of tests', () => {
  test.each([
    ['vitest.config.ts', '+  reporters: ["./scripts/says.ts"],'],
    ['jest.config.js', "+  reporters: ['<rootDir>/says.js'],"],
    ['.mocharc.json', '+  "reporter": "./says.js",'],
    ['package.json', '-"test": "mocha",\n+"test": "mocha --reporter ./says.js",'],
  ])('%s: %s', (path, lines) => {
    expect(found(path, lines)).toEqual([
      `${path} has something of its own write down what tests find (${lines.split('\n+').at(-1)?.replace(/^\+/, '').trim()})`,
    ])
  })

  test.each([
    ['vitest.config.ts', '+  reporters: ["default", "junit"],'],
    ['jest.config.js', "+  reporters: ['default', './says.js'],"],
    ['.mocharc.json', '-  "reporter": "./old.js",\n+  "reporter": "./new.js",'],
  ])('not %s: %s', (path, lines) => {
    expect(found(path, lines)).toEqual([])
  })
})
