import { expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'

/* Complete tests that check less: cases with which a critical user fooled the guard, and cases that must pass. */

test.each<[string, string, string, string]>([
  ['returns first', 'a.test.ts', " it('adds', () => {\n+  return\n   expect(add(1)).toBe(2)\n })", 'may end before'],
  [
    'returns first on some machines',
    'a.test.ts',
    " it('adds', () => {\n+  if (process.env.CI) return\n   expect(add(1)).toBe(2)\n })",
    'may end before',
  ],
  [
    'returns first in a block',
    'a_test.go',
    ' func TestAdd(t *testing.T) {\n+\tif slow {\n+\t\treturn\n+\t}\n \tif Add(1) != 2 {\n \t\tt.Fatal("no")\n \t}\n }',
    'may end before',
  ],
  [
    'is caught',
    'test_a.py',
    ' def test_a():\n-    assert a() == 1\n+    try:\n+        assert a() == 1\n+    except AssertionError:\n+        pass',
    'caught',
  ],
  [
    'has fewer rows',
    'test_a.py',
    ' @pytest.mark.parametrize("a", [\n     (1, 1),\n-    (2, 4),\n ])\n def test_a(a, b):\n     assert sq(a) == b',
    'lost 1 row',
  ],
  [
    'has fewer rows on a line',
    'a.test.ts',
    "-test.each([1, 2])('a %i', (a) => {\n+test.each([1])('a %i', (a) => {\n   expect(f(a)).toBe(a)\n })",
    'lost',
  ],
  ['is a string', 'test_a.py', " def test_a():\n+    '''\n     assert a() == 1\n+    '''", 'commented out'],
  [
    'compares with itself',
    'test_a.py',
    ' def test_a():\n     x = a()\n-    assert x == 1\n+    assert x == x',
    'lost 1 assertion',
  ],
  [
    'may be true',
    'test_a.py',
    ' def test_a():\n     x = a()\n-    assert x == 1\n+    assert x == 1 or True',
    'lost 1 assertion',
  ],
  [
    'asks for anything',
    'a.test.ts',
    " it('a', () => {\n-  expect(a).toBe(1)\n+  expect(a).toEqual(expect.anything())\n })",
    'lost',
  ],
  [
    'is pending',
    'a_spec.rb',
    "-  it 'adds' do\n+  it 'adds', :pending do\n     expect(add).to eq 2\n   end",
    'pending',
  ],
  ['is skipped', 'test/a.bats', ' @test "adds" {\n+  skip\n   run add\n }', 'skip'],
  [
    'is not enabled',
    'ATest.java',
    '-  @Test\n+  @Test(enabled = false)\n   void adds() {\n     assertEquals(2, add());\n   }',
    'enabled',
  ],
  ['is not built', 'a_test.go', '+//go:build integration\n+\n package a\n \n func TestA(t *testing.T) {', 'go:build'],
])('a test that %s is weaker', (_name, path, lines, said) => {
  expect(found(file(path, lines)).join()).toContain(said)
})

test.each<[string, string, string]>([
  [
    'returns after it has checked that there is an error',
    'a_test.go',
    ' func TestAdd(t *testing.T) {\n+\tif tt.wantErr {\n+\t\tif err == nil {\n+\t\t\tt.Fatal("no error")\n+\t\t}\n+\t\treturn\n+\t}\n \tif Add(1) != 2 {\n \t\tt.Fatal("no")\n \t}\n }',
  ],
  [
    'passes a function that returns',
    'a.test.ts',
    " it('adds', () => {\n+  const log = vi.fn(() => {\n+    return\n+  })\n   expect(add(1)).toBe(2)\n })",
  ],
  [
    'throws again what it caught',
    'a.test.ts',
    " it('adds', () => {\n-  expect(add(1)).toBe(2)\n+  try {\n+    expect(add(1)).toBe(2)\n+  } catch (error) {\n+    throw error\n+  }\n })",
  ],
  [
    'has its rows in another form',
    'test_a.py',
    '+ROWS = [(1, 1), (2, 4)]\n @pytest.mark.parametrize("a", [\n-    (1, 1),\n-    (2, 4),\n+    *ROWS,\n ])\n def test_a(a, b):\n     assert sq(a) == b',
  ],
  [
    'has another row',
    'test_a.py',
    ' @pytest.mark.parametrize("a", [\n-    (2, 4),\n+    (3, 9),\n ])\n def test_a(a, b):\n     assert sq(a) == b',
  ],
  ['has a docstring now', 'test_a.py', ' def test_a():\n+    """Adds.\n+\n+    And more."""\n     assert a() == 1'],
])('a test that %s is not', (_name, path, lines) => {
  expect(found(file(path, lines))).toEqual([])
})

test('a new file of tests may be for some platforms only', () => {
  expect(found(file('a_linux_test.go', '+//go:build linux\n+\n+package a', 'A'))).toEqual([])
})

const entry = (old: string, now: string) => `   "scripts": {\n-    "test": "${old}"\n+    "test": "${now}"\n   }`
test.each([
  ['vitest run', 'vitest run src/other'],
  ['vitest run', 'vitest run -t empty'],
  ['vitest run', 'vitest run --changed'],
  ['vitest run', 'vitest --version'],
  ['jest', 'node -e 0'],
  ['npm run lint && npm test', 'npm run lint'],
])('"%s" is more than "%s"', (old, now) => {
  expect(found(file('package.json', entry(old, now)))).toHaveLength(1)
  expect(found(file('package.json', `-{"scripts":{"test":"${old}"}}\n+{"scripts":{"test":"${now}"}}`))).toHaveLength(1)
})
test.each([
  ['vitest run', 'vitest run --coverage'],
  ['jest', 'jest --config jest.config.js'],
  ['jest', 'vitest run'],
  ['vitest run', 'eslint . && vitest run'],
  ['mocha', 'mocha -r ts-node/register test/**/*.ts'],
])('"%s" may become "%s"', (old, now) => {
  expect(found(file('package.json', entry(old, now)))).toEqual([])
})

test.each([
  ['vitest.config.ts', "   test: {\n+    exclude: ['src/cart.test.ts'],\n   }"],
  ['vitest.config.ts', "   test: {\n     exclude: [\n+      '**/cart.test.ts',\n     ],\n   }"],
  ['vitest.config.ts', "-    include: ['src/**/*.test.ts'],\n+    include: ['src/a/*.test.ts'],"],
  ['pytest.ini', ' [pytest]\n-testpaths = tests\n+testpaths = tests/unit'],
  ['pytest.ini', ' [pytest]\n+norecursedirs = tests'],
  ['conftest.py', '+def pytest_collection_modifyitems(items):\n+    items[:] = []'],
  ['Makefile', ' test:\n-\tgo test ./...\n+\tgo test -run TestA ./...'],
  ['beadloom.json', '-  "verify": [\n-    { "type": "test", "command": "npm test" }\n-  ]\n+  "verify": []'],
])('settings in %s may not leave tests out: %s', (path, lines) => {
  expect(found(file(path, lines))).toHaveLength(1)
})
test.each([
  ['vite.config.ts', "+  optimizeDeps: {\n+    exclude: ['lucide-react'],\n+  },"],
  ['vitest.config.ts', "   test: {\n+    coverage: {\n+      exclude: ['src/main.ts'],\n+    },\n   }"],
  ['vitest.config.ts', "+    exclude: [...configDefaults.exclude, '**/.cache/**'],"],
  ['jest.config.js', "+  modulePathIgnorePatterns: ['<rootDir>/dist/'],"],
  ['pytest.ini', '+norecursedirs = .git venv node_modules'],
  ['vitest.config.ts', "-    include: ['src/**/*.test.ts'],\n+    include: ['src/**/*.test.{ts,tsx}'],"],
  ['pytest.ini', ' [pytest]\n-testpaths = tests\n+testpaths = tests integration'],
  ['pyproject.toml', ' [tool.setuptools.packages.find]\n-include = ["app*"]\n+include = ["cart*"]'],
  [
    'Makefile',
    ' test:\n-\tgo test ./...\n+\tgo vet ./...\n+\tgo test -race ./...\n+bench:\n+\tgo test -run NONE -bench . ./a',
  ],
])('other settings in %s may change: %s', (path, lines) => {
  expect(found(file(path, lines))).toEqual([])
})

test('a new file of settings may leave the tests of another runner to it, an old one may not begin to', () => {
  const lines = "+    exclude: [...configDefaults.exclude, 'e2e/**'],"
  expect(found(file('vitest.config.ts', lines, 'A'))).toEqual([])
  expect(found(file('vitest.config.ts', lines))).toHaveLength(1)
})

test.each([
  ['test_a.py', " def test_a():\n+    name = 'a'; return\n     assert a(name) == 1"],
  [
    'ATest.java',
    ' @Test\n void adds() {\n+    int sum = add(1); if (sum >= 0) return;\n     assertEquals(2, add(1));\n }',
  ],
  ['a.test.ts', " it('adds', () => {\n+        return\n   expect(add(1)).toBe(2)\n })"],
  ['a.test.ts', " it('adds', () => {\n   const one = 1\n+        return\n   expect(add(one)).toBe(2)\n })"],
])('a test that leaves is found behind another statement, and however far it is indented: %s, %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([expect.stringContaining('may end before what it checks')])
})
test.each([
  ['test_a.py', '+def helper():\n+    made = 1\n+    return\n+\n def test_a():\n     assert a() == 1'],
  ['a.test.ts', " it('adds', () => {\n   for (const one of all)\n+    return\n   expect(add(1)).toBe(2)\n })"],
  ['a.test.ts', " it('adds', () => {\n+  const said = 'a; return'\n   expect(add(1)).toBe(2)\n })"],
])('but not behind its end, or in a text: %s, %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([])
})
