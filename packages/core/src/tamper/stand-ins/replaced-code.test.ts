import { describe, expect, test } from 'vitest'
import { file } from '../../testing/sample-patch.ts'
import { findTampering } from '../tamper.ts'

const PATHS = [
  'shop/__init__.py',
  'shop/cart.py',
  'shop/subprocess.py',
  'tests/fake.py',
  'src/cart.ts',
  'test/fake.ts',
  'src/till/open.py',
  'tests/fakes/till/open.py',
]

const found = (path: string, lines: string): string[] =>
  findTampering({ files: [file(path, lines)], paths: [...PATHS, path], collectedBefore: null, collectedAfter: null })

describe('code that runs before the tests replaces the tested code', () => {
  test.each([
    '+sys.modules["shop.cart"] = fake',
    '+sys.modules.update({"shop.cart": fake})',
    '+monkeypatch.setitem(sys.modules, "shop.cart", fake)',
    '+    monkeypatch.setattr("shop.cart.total", lambda x: 3)',
    '+mock.patch("shop.cart.total", lambda x: 3).start()',
    '+import shop.cart\n+shop.cart.total = lambda x: 3',
    ' from shop import cart\n+cart.total = fake_total',
    ' from shop import cart\n+setattr(cart, "total", fake_total)',
    ' from shop import cart\n+monkeypatch.setattr(cart, "total", fake_total)',
    '+sys.path.insert(0, "tests/fakes")',
    '+sys.path.insert(0, os.path.join(HERE, "./fakes/"))',
  ])('a conftest.py: %j', (lines) => {
    expect(found('tests/conftest.py', lines)).toEqual([
      expect.stringMatching(/^tests\/conftest\.py puts something in the place of the code that tests are about \(/),
    ])
  })

  test.each([
    '+vi.mock("../src/cart", () => ({ total: () => 3 }))',
    '+mock.module("../src/cart", () => ({ total: () => 3 }))',
    ' import * as cart from "../src/cart"\n+cart.total = () => 3',
    ' import * as cart from "../src/cart"\n+vi.spyOn(cart, "total").mockReturnValue(3)',
  ])('a set-up file: %j', (lines) => {
    expect(found('test/setup.ts', lines)).toEqual([expect.stringContaining('in the place of the code')])
  })

  test.each([
    ['something of others', 'tests/conftest.py', '+    monkeypatch.setattr("subprocess.run", fake)'],
    ['a module is missing', 'tests/conftest.py', '+    monkeypatch.setitem(sys.modules, "shop.cart", None)'],
    ['its own sources', 'tests/conftest.py', '+sys.path.insert(0, "../src")'],
    ['a setting', 'tests/conftest.py', '+    monkeypatch.setattr("shop.cart.TIMEOUT", 0)'],
    ['a value', 'tests/conftest.py', ' from shop import cart\n+cart.testing = True'],
    [
      'a line that was there',
      'tests/conftest.py',
      '-sys.modules["shop.cart"] = fake\n+  sys.modules["shop.cart"] = fake',
    ],
    ['a part', 'test/setup.ts', '+vi.mock("../src/cart", async (own) => ({ ...(await own()), log: vi.fn() }))'],
    ['a helper of tests', 'test/setup.ts', '+vi.mock("./fake", () => ({ now: () => 3 }))'],
  ])('not %s', (_, path, lines) => {
    expect(found(path, lines)).toEqual([])
  })
})

describe('a new test file replaces the tested code for all others', () => {
  const PROJECT = [
    'shop/__init__.py',
    'shop/cart.py',
    'lib/cart.rb',
    'lib/shop.rb',
    'lib/shop/cart.rb',
    'app/models/order.rb',
    'lib/shop/cart.ex',
    'src/Cart.php',
    'src/Model/Order.php',
    'src/cart.js',
  ]
  const ofNew = (path: string, text: string): string[] =>
    findTampering({
      files: [file(path, text.replace(/^/gm, '+'), 'A')],
      all: [{ path, status: 'A' }],
      paths: [...PROJECT, path],
      collectedBefore: null,
      collectedAfter: null,
    })

  test.each([
    ['tests/test_aaa.py', 'from shop.cart import Cart\nCart.total = lambda self: 3'],
    ['tests/test_aaa.py', 'import shop\nshop.cart.Cart.total = fake_total'],
    ['tests/test_aaa.py', 'from shop import cart\nif True:\n    cart.total = fake_total'],
    ['tests/test_aaa.py', 'from shop.cart import Cart\nsetattr(Cart, "total", fake_total)'],
    ['tests/test_aaa.py', 'sys.modules["shop.cart"] = fake'],
    ['tests/test_aaa.py', 'patch("shop.cart.total", fake_total).start()'],
    ['spec/aaa_spec.rb', 'class Cart; def total = 3; end'],
    ['spec/aaa_spec.rb', 'class Cart\n  def total\n    3\n  end\nend'],
    ['test/aaa_test.rb', 'module Shop\n  class Cart\n    def total = 3\n  end\nend'],
    ['test/aaa_test.rb', 'class Shop::Cart\n  def total = 3\nend'],
    ['test/aaa_test.rb', 'Shop::Cart.prepend(Module.new { def total = 3 })'],
    ['test/aaa_test.rb', 'class Order < Base\n  define_method(:total) { 3 }\nend'],
    ['test/aaa_test.exs', 'defmodule Shop.Cart do\n  def total(_), do: 3\nend'],
    ['tests/AaaTest.php', '<?php\nnamespace Shop;\nclass Cart {\n  function total() { return 3; }\n}'],
    ['tests/AaaTest.php', '<?php\nnamespace Shop\\Model {\n  final class Order {}\n}'],
    [
      'test/aaa.test.js',
      "import { expect } from 'chai'\nimport { Cart } from '../../src/cart.js'\nCart.prototype.total = () => 3",
    ],
    ['test/aaa.test.js', "const assert = require('assert')\nconst cart = require('../src/cart')\ncart.total = () => 3"],
  ])('%s: %j', (path, text) => {
    expect(ofNew(path, text)).toEqual([expect.stringContaining(`${path} puts something in the place of the code`)])
  })

  test.each([
    ['in a test', 'tests/test_aaa.py', 'from shop.cart import Cart\ndef test_it():\n    Cart.total = lambda self: 3'],
    ['a decorator', 'tests/test_aaa.py', '@patch("shop.cart.total")\ndef test_it(total):\n    pass'],
    ['a patch that is started later', 'tests/test_aaa.py', 'patcher = patch("shop.cart.total")'],
    ['an object to work with', 'tests/test_aaa.py', 'from shop import cart\ncart.db = FakeDb()'],
    ['a setting', 'tests/test_aaa.py', 'from shop import cart\ncart.testing = True'],
    ['a module of others', 'tests/test_aaa.py', 'sys.modules["RPi.GPIO"] = Mock()'],
    [
      'tests in their module',
      'test/aaa_test.rb',
      'module Shop\n  class CartTest < Minitest::Test\n    def test_total\n    end\n  end\nend',
    ],
    [
      'tests in their class',
      'test/aaa_test.rb',
      'class Cart\n  class TotalTest < Minitest::Test\n    def test_total\n    end\n  end\nend',
    ],
    ['a class of that name elsewhere', 'spec/aaa_spec.rb', 'module Fakes\n  class Cart\n    def total = 3\n  end\nend'],
    ['a class in an example', 'spec/aaa_spec.rb', 'describe Cart do\n  class Order\n    def total = 3\n  end\nend'],
    ['tests of a module', 'test/aaa_test.exs', 'defmodule Shop.CartTest do\n  use ExUnit.Case\nend'],
    ['a namespace of tests', 'tests/AaaTest.php', '<?php\nnamespace Shop\\Tests;\nclass Cart {}'],
    [
      'tests apart',
      'test/aaa.test.js',
      "import { vi } from 'vitest'\nimport * as cart from '../../src/cart.js'\ncart.total = () => 3",
    ],
    [
      'a mock of a module',
      'test/aaa.test.js',
      "import { mock } from 'bun:test'\nmock.module('../src/cart.js', () => ({ total: () => 3 }))",
    ],
    ['tests of an unknown runner', 'test/aaa.test.js', "import cart from '../../src/cart.js'\ncart.total = () => 3"],
  ])('not %s (%s)', (_, path, text) => {
    expect(ofNew(path, text)).toEqual([])
  })

  test('a helper opens a class by its full name', () => {
    const opens = (path: string, line: string) =>
      findTampering({
        files: [file(path, line)],
        paths: [...PROJECT, path],
        collectedBefore: null,
        collectedAfter: null,
      })
    expect(opens('spec/spec_helper.rb', '+class Shop::Cart')).toHaveLength(1)
    expect(opens('spec/spec_helper.rb', '+Shop::Cart.prepend(Fake)')).toHaveLength(1)
    expect(opens('test/test_helper.exs', '+defmodule Shop.Cart do')).toHaveLength(1)
    expect(opens('spec/spec_helper.rb', '+class Other::Cart')).toEqual([])
  })
})
