import { describe, expect, test } from 'vitest'
import { renamed } from '../testing/sample-patch.ts'
import { findTampering } from './tamper.ts'

const foundIn = (from: string, to: string, around: { commands?: string[]; paths?: string[] } = {}) =>
  findTampering({ files: [renamed(from, to)], collectedBefore: null, collectedAfter: null, ...around })

describe('a file of tests with a name of another form', () => {
  test.each([
    ['tests/test_cart.py', 'tests/cart_test.py', { commands: ['pytest'] }],
    ['tests/cart_test.py', 'tests/test_cart.py', { commands: ['make test'] }],
    ['src/cart.test.ts', 'src/__tests__/cart.ts', { commands: ['npx jest'] }],
    [
      'src/cart.test.ts',
      'src/__tests__/cart.ts',
      { commands: ['npm test'], paths: ['jest.config.js', 'vite.config.ts'] },
    ],
    ['src/cart.spec.js', 'src/spec.js', { commands: ['npm test'] }],
    ['test/cart.test.js', 'test/test-cart.js', { commands: ['node --test'] }],
  ])('is found by a runner that knows both: %s, %s', (from, to, around) => {
    expect(foundIn(from, to, around)).toEqual([])
  })

  test.each([
    ['tests/test_cart.py', 'tests/cart_test.py', { commands: ['python -m unittest discover'] }],
    ['shop/tests/test_cart.py', 'shop/tests/cart_test.py', { commands: ['python manage.py test'] }],
    ['tests/test_cart.py', 'tests/cart_checks.py', { commands: ['pytest'] }],
    ['src/cart.test.ts', 'src/__tests__/cart.ts', { commands: ['npx vitest run'] }],
    ['src/cart.test.ts', 'src/__tests__/cart.ts', { commands: ['npm test'], paths: ['vitest.config.ts'] }],
    ['src/cart.test.ts', 'src/__tests__/fixtures/cart.ts', { commands: ['npx jest'] }],
    ['test/cart.test.js', 'test/test-cart.js', { commands: ['npx jest'] }],
  ])('is not found by one that knows only the former: %s, %s', (from, to, around) => {
    expect(foundIn(from, to, around)).toHaveLength(1)
  })
})
