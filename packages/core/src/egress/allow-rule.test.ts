import { describe, expect, test } from 'vitest'
import { allows, parseRule, parseRules, ruleProblem } from './allow-rule.ts'
import { plainHost } from './host-name.ts'

describe('an entry of network.allow', () => {
  test('is a name, every name below one, or either with a port', () => {
    expect(parseRule('packages.example.com')).toEqual({ name: 'packages.example.com', isBelow: false, port: null })
    expect(parseRule('*.Example.ORG.')).toEqual({ name: 'example.org', isBelow: true, port: null })
    expect(parseRule('example.org:8443')).toEqual({ name: 'example.org', isBelow: false, port: 8443 })
    expect(parseRule('xn--bcher-kva.example')).toMatchObject({ name: 'xn--bcher-kva.example' })
    for (const text of ['packages.example.com', '*.example.org', 'a_b.example.org:1'])
      expect(ruleProblem(text)).toBe(null)
  })

  test.each([
    ['*', 'would allow everything'],
    ['*:443', 'would allow everything'],
    ['*.com', 'a whole top-level domain'],
    ['*.*.example.org', 'only at its beginning'],
    ['exam*.org', 'only at its beginning'],
    ['10.0.0.1', 'is an address'],
    ['10.0.0.0/8', 'a path or a mask'],
    ['[::1]:443', 'is an address'],
    ['::1', 'is an address'],
    ['0x7f.1', 'is an address'],
    ['2130706433', 'is an address'],
    ['https://example.org', 'is a URL'],
    ['example.org/path', 'has a path'],
    ['me@example.org', 'a user name'],
    ['example.org:0', 'no port from 1 to 65535'],
    ['example.org:70000', 'no port from 1 to 65535'],
    ['localhost', 'a name of this machine'],
    ['x.localhost:8080', 'a name of this machine'],
    ['metadata.google.internal', 'a name of this machine or its own network'],
    ['packages', 'a full name with a dot'],
    ['bücher.example', 'xn--'],
    ['exa mple.org', 'must be the name of a host'],
    ['-x.example.org', 'must be the name of a host'],
    ['..', 'must be the name of a host'],
    [`${'a'.repeat(64)}.example.org`, 'must be the name of a host'],
  ])('is not %s', (text, why) => {
    expect(parseRule(text)).toBe(null)
    expect(ruleProblem(text)).toContain(why)
  })

  test('allows its own name and ports, and the default ones without a port', () => {
    const rules = parseRules(['a.example.com', '*.example.org', 'b.example.com:8443', 'not a rule'])
    const yes = [
      ['a.example.com', 443],
      ['a.example.com', 80],
      ['x.y.example.org', 443],
      ['b.example.com', 8443],
    ] as const
    const no = [['example.com', 443], ['example.org', 443], ['notexample.org', 443], ['a.example.com', 22], ['b.example.com', 443]] as const // prettier-ignore
    expect(yes.map(([host, port]) => allows(rules, host, port))).toEqual(yes.map(() => true))
    expect(no.map(([host, port]) => allows(rules, host, port))).toEqual(no.map(() => false))
  })
})

test('a name has one form', () => {
  expect(plainHost('A.Example.COM.')).toBe('a.example.com')
  for (const none of [
    '',
    '.',
    'a..b',
    '127.0.0.1',
    '127.1',
    '[::1]',
    'a b',
    'a/b',
    'a%00b',
    'x'.repeat(300),
    'a.0x7f',
    '1.',
  ])
    expect([none, plainHost(none)]).toEqual([none, null])
})
