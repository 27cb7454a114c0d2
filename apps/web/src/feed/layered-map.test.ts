import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LayeredMap } from './layered-map.ts'

const keys = fc.constantFrom(...'abcdefgh')

test('after any changes a layered map equals a map, and each earlier one still has its entries', () => {
  const change = fc.record({ key: keys, value: fc.option(fc.integer({ min: 0, max: 9 })) })
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 12 }), (steps) => {
      const plain = new Map([['a', 0]])
      let layered = LayeredMap.of(plain)
      const before: { layered: LayeredMap<number>; had: Map<string, number> }[] = []
      for (const step of steps) {
        before.push({ layered, had: new Map(plain) })
        for (const { key, value } of step)
          if (value === null) plain.delete(key)
          else plain.set(key, value)
        layered = layered.changed(plain, new Set(step.map(({ key }) => key)))
        before.push({ layered, had: new Map(plain) })
      }
      for (const { layered: one, had } of before) {
        expect(new Map(one)).toEqual(had)
        expect(new Set(one.keys())).toEqual(new Set(had.keys()))
        expect([...one.values()].toSorted()).toEqual([...had.values()].toSorted())
        expect(one.size).toBe(had.size)
        for (const key of 'abcdefgh') expect([one.get(key), one.has(key)]).toEqual([had.get(key), had.has(key)])
      }
    }),
  )
})

test('very many changes are merged, one after the other or at once', () => {
  const plain = new Map<string, number>()
  let layered = LayeredMap.of(plain)
  for (let n = 0; n < 2000; n++) {
    plain.set(String(n % 700), n)
    layered = layered.changed(plain, new Set([String(n % 700)]))
  }
  expect(new Map(layered)).toEqual(plain)
  for (let n = 0; n < 500; n++) plain.delete(String(n))
  layered = layered.changed(plain, new Set(Array.from({ length: 500 }, (_, n) => String(n))))
  expect(new Map(layered)).toEqual(plain)
})
