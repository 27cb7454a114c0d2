import { describe, expect, test } from 'vitest'
import { file } from '../../testing/sample-patch.ts'
import { findTampering } from '../tamper.ts'

/* Each case changes one settings file, beside new files. */

const PATHS = [
  'src/lib.rs',
  'src/main.rs',
  'tests/cart.rs',
  'cart.py',
  'cart_test.py',
  'cart.spec.js',
  'index.js',
  'score/go.mod',
  'cart.h',
]

function found(path: string, lines: string, ...fresh: string[]): string[] {
  const all = [...fresh.map((one) => ({ path: one, status: 'A' })), { path, status: 'M' }]
  const paths = [...PATHS, path, ...fresh]
  return findTampering({ files: [file(path, lines)], all, paths, collectedBefore: null, collectedAfter: null })
}

const cargo = (lines: string) => ` [package]\n name = "cart"\n${lines}`

describe('settings that lead to something new, while the old target still exists', () => {
  test.each([
    ['the library of a crate', 'Cargo.toml', cargo('+[lib]\n+path = "src/good.rs"'), 'src/good.rs'],
    ['its program', 'Cargo.toml', cargo(' [[bin]]\n name = "cart"\n+path = "src/good.rs"'), 'src/good.rs'],
    [
      'another library of its name',
      'Cargo.toml',
      cargo('+[dev-dependencies]\n+cart = { path = "good", package = "good" }'),
      'good/src/lib.rs',
    ],
    ['assertions of its own', 'Cargo.toml', cargo('+pretty_assertions = { path = "equal" }'), 'equal/src/lib.rs'],
    ['members that are tested', 'Cargo.toml', cargo('+default-members = ["other"]'), 'other/src/lib.rs'],
    ['a module of Go', 'go.mod', '-replace a.org/score => ./score\n+replace a.org/score => ./good', 'good/go.mod'],
    [
      'a module of Go from elsewhere',
      'go.mod',
      ' require a.org/score v1.0.0\n+replace a.org/score => ./good',
      'good/go.mod',
    ],
    ['what a package gives', 'package.json', '-  "main": "index.js",\n+  "main": "good.js",', 'good.js'],
    ['a preset', 'package.json', '+  "preset": "./kit"', 'kit/jest-preset.js'],
    ['a list of projects', 'package.json', '+  "projects": [\n+    "<rootDir>/other"\n+  ]', 'other/a.spec.js'],
    ['the root of a runner', 'jest.config.js', "+  rootDir: 'other',", 'other/a.spec.js'],
    ['an option of a runner', 'package.json', '-"test": "jest",\n+"test": "jest --env=./place.js",', 'place.js'],
    ['headers', 'CMakeLists.txt', '+target_include_directories(cart BEFORE PRIVATE good)', 'good/cart.h'],
    ['a folder of modules', 'pytest.ini', ' [pytest]\n+pythonpath = good', 'good/cart.py'],
  ])('%s', (_, path, lines, fresh) => {
    expect(found(path, lines, fresh)).toEqual([expect.stringContaining(`${path} leads to something new`)])
  })

  test.each([
    ['a library that moved', 'Cargo.toml', cargo('+[lib]\n+path = "rust/lib.rs"'), 'rust/other.rs'],
    ['a program more', 'Cargo.toml', cargo('+[[bin]]\n+name = "more"\n+path = "src/more.rs"'), 'src/more.rs'],
    ['a crate with its own features', 'Cargo.toml', cargo('+cart = { path = ".", features = ["a"] }'), 'src/a.rs'],
    ['a member more', 'Cargo.toml', cargo('+default-members = [".", "other"]'), 'other/src/lib.rs'],
    ['a module that is new', 'go.mod', '+require a.org/new v0.0.0\n+replace a.org/new => ./new', 'new/go.mod'],
    ['another entry', 'package.json', '   "main": "index.js",\n+  "module": "index.mjs",', 'index.mjs'],
    ['a project more', 'jest.config.js', "   projects: [\n+    './other',\n   ],", 'other/a.spec.js'],
    ['a folder with names of its own', 'pytest.ini', ' [pytest]\n+pythonpath = more', 'more/tax.py'],
    ['headers of its own', 'CMakeLists.txt', '+target_include_directories(cart PRIVATE more)', 'more/tax.h'],
    ['the sources', 'jest.config.js', "+  roots: ['<rootDir>/src'],", 'src/a.js'],
  ])('not %s', (_, path, lines, fresh) => {
    expect(found(path, lines, fresh)).toEqual([])
  })

  test('but not the settings of a package that came with its tests', () => {
    const lines = "+  rootDir: 'src',"
    expect(found('more/jest.config.js', lines, 'more/jest.config.js', 'more/src/a.spec.js')).toEqual([])
  })
})
