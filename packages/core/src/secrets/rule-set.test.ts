import { expect, test } from 'vitest'
import { allowedAnyway, compile, rules } from './rule-set.ts'

test('every rule can be compiled, and has lower-case ASCII words that its text must have', () => {
  for (const { id, regex, path, keywords, allow = [] } of rules) {
    expect(() => compile(regex), id).not.toThrow()
    for (const more of [
      ...(path ? [path] : []),
      ...allow.flatMap((one) => [...(one.regexes ?? []), ...(one.paths ?? [])]),
    ])
      expect(() => compile(more), id).not.toThrow()
    expect(keywords.length, id).toBeGreaterThan(0)
    for (const word of keywords) expect(word, id).toMatch(/^[!-~ ]+$/)
    expect(
      keywords.map((word) => word.toLowerCase()),
      id,
    ).toEqual(keywords)
  }
  for (const regex of [...(allowedAnyway.regexes ?? []), ...(allowedAnyway.paths ?? [])])
    expect(() => compile(regex)).not.toThrow()
  expect(rules.length).toBeGreaterThan(150)
})
