import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accepts, agree, rangeOf, type Version } from './version-range.ts'

describe('a range', () => {
  test.each<[text: string, inside: Version[], outside: Version[]]>([
    [
      '20',
      [
        [20, 0, 0],
        [20, 19, 5],
      ],
      [
        [19, 9, 9],
        [21, 0, 0],
      ],
    ],
    ['v20.11', [[20, 11, 9]], [[20, 12, 0]]],
    ['20.11.1', [[20, 11, 1]], [[20, 11, 2]]],
    ['20.x', [[20, 5, 0]], [[21, 0, 0]]],
    ['3.12.*', [[3, 12, 4]], [[3, 13, 0]]],
    [
      '>=18',
      [
        [18, 0, 0],
        [99, 0, 0],
      ],
      [[17, 9, 9]],
    ],
    [
      '>= 18 < 21',
      [[20, 1, 1]],
      [
        [21, 0, 0],
        [17, 0, 0],
      ],
    ],
    [
      '^18.18.0 || ^20.9.0 || >=21.1.0',
      [
        [18, 20, 0],
        [20, 9, 0],
        [24, 0, 0],
      ],
      [
        [19, 0, 0],
        [21, 0, 0],
      ],
    ],
    ['^0.3.1', [[0, 3, 9]], [[0, 4, 0]]],
    ['^0', [[0, 9, 0]], [[1, 0, 0]]],
    ['~1.2', [[1, 2, 9]], [[1, 3, 0]]],
    [
      '~> 3.2',
      [[3, 9, 0]],
      [
        [4, 0, 0],
        [3, 1, 0],
      ],
    ],
    ['~=3.11', [[3, 99, 0]], [[4, 0, 0]]],
    ['~=3.11.2', [[3, 11, 7]], [[3, 12, 0]]],
    ['>=3.9,<4', [[3, 13, 0]], [[4, 0, 0]]],
    ['>=3.8, !=3.9.0', [[3, 8, 1]], [[3, 7, 0]]],
    ['8.1 - 8.3', [[8, 3, 9]], [[8, 4, 0]]],
    [
      '^8.1|^9.0',
      [
        [8, 2, 0],
        [9, 1, 0],
      ],
      [[10, 0, 0]],
    ],
    ['temurin-21.0.2+13', [[21, 0, 2]], [[21, 0, 3]]],
    ['3.13.0rc1', [[3, 13, 0]], [[3, 12, 0]]],
    ['*', [[0, 0, 1]], []],
  ])('%s', (text, inside, outside) => {
    const range = rangeOf(text) ?? []
    expect(inside.map((version) => accepts(range, version))).not.toContain(false)
    expect(outside.map((version) => accepts(range, version))).not.toContain(true)
  })

  test('that names the least version accepts every newer one', () => {
    expect(accepts(rangeOf('1.22', true) ?? [], [1, 25, 0])).toBe(true)
    expect(accepts(rangeOf('1.22') ?? [], [1, 25, 0])).toBe(false)
  })

  test.each([
    'lts/*',
    'lts/iron',
    'stable',
    'nightly-2024-01-01',
    '',
    '>=',
    '${version}',
    'file:../x',
    '1'.repeat(300),
  ])('is not read out of "%s"', (text) => expect(rangeOf(text)).toBeNull())

  test('that nothing fits accepts nothing', () => {
    expect(rangeOf('>=5 <4')).toEqual([])
  })
})

describe('two ranges', () => {
  test.each([
    ['20', '>=18', true],
    ['18', '>=20', false],
    ['^18 || ^20', '20.11.1', true],
    ['3.11', '>=3.12,<4', false],
    ['>=5 <4', '*', false],
  ])('%s and %s: %s', (a, b, expected) => {
    expect(agree(rangeOf(a) ?? [], rangeOf(b) ?? [])).toBe(expected)
  })

  const number = fc.nat({ max: 40 })
  const version = fc.tuple(number, number, number)
  const text = fc
    .tuple(fc.constantFrom('', '>=', '>', '<', '<=', '^', '~', '=', '~>'), version, fc.integer({ min: 1, max: 3 }))
    .map(([sign, parts, count]) => sign + parts.slice(0, count).join('.'))

  test('agree in either order, and whenever some version is in both', () => {
    fc.assert(
      fc.property(text, text, version, (a, b, some) => {
        const [one, other] = [rangeOf(a) ?? [], rangeOf(b) ?? []]
        expect(agree(one, other)).toBe(agree(other, one))
        if (accepts(one, some) && accepts(other, some)) expect(agree(one, other)).toBe(true)
      }),
    )
  })

  test('are read out of any text without harm', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 250 }), (any) => {
        rangeOf(any)
      }),
    )
  })
})
