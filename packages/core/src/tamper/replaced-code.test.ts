import { describe, expect, test } from 'vitest'
import { file } from '../testing/sample-patch.ts'
import { findTampering } from './tamper.ts'

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
