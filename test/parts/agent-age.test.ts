import { join } from 'node:path'
import { expect, test } from 'vitest'

/* The scripts are plain JavaScript without types. */
type Registry = { time?: Record<string, string>; deprecated?: string } | null
const { ageOf } = (await import(join(import.meta.dirname, '..', '..', 'scripts', 'agent-age.mjs'))) as {
  ageOf: (version: string, registry: Registry, now: number) => { late: boolean; text: string }
}

const time = {
  created: '2026-01-01T00:00:00Z',
  modified: '2026-11-01T00:00:00Z',
  '0.9.0': '2026-10-01T00:00:00Z', // patched again, after newer versions
  '1.2.0': '2026-03-10T12:00:00Z',
  '1.10.0': '2026-04-20T12:00:00Z',
  '1.11.0': '2026-05-01T12:00:00Z',
  '1.12.0-beta.1': '2026-03-15T12:00:00Z',
  '1.11.0-linux-x64': '2026-05-01T12:00:00Z',
}
const at = (day: string) => Date.parse(`${day}T12:00:00Z`)

test('a version is three months behind when the first newer one is three months old, and a moment more', () => {
  const now = at('2026-07-20')
  expect(ageOf('1.2.0', { time }, now)).toEqual({
    late: false,
    text: 'there are newer versions since 2026-04-20; the newest is 1.11.0',
  })
  expect(ageOf('1.2.0', { time }, now + 1)).toEqual({
    late: true,
    text: 'more than 3 months behind: there are newer versions since 2026-04-20; the newest is 1.11.0',
  })
})

test("a version's own age does not count: the newest of an hour before may be months after it", () => {
  const slow = { '1.0.0': '2026-01-01T00:00:00Z', '2.0.0': '2026-09-01T00:00:00Z' }
  expect(ageOf('1.0.0', { time: slow }, at('2026-09-02')).late).toBe(false)
})

test('the newest version wins, whatever pre-releases and builds there are', () => {
  expect(ageOf('1.11.0', { time }, at('2026-05-02'))).toEqual({ late: false, text: 'the newest' })
})

test('a package that fell silent may have another name', () => {
  expect(ageOf('1.11.0', { time }, at('2026-08-01')).late).toBe(false)
  expect(ageOf('1.11.0', { time }, at('2026-08-02'))).toEqual({
    late: true,
    text: 'the newest, and nothing was published since 2026-05-01: look whether the package has another name now',
  })
})

test("a deprecated package is too old at any age, in its maker's words", () => {
  const deprecated = 'moved to @new/name'
  expect(ageOf('1.11.0', { time, deprecated }, at('2026-05-02'))).toEqual({
    late: true,
    text: 'the newest. The package is deprecated: moved to @new/name',
  })
})

test.each<Registry>([null, {}, { time: {} }, { time: { created: '2026-01-01T00:00:00Z', '1.0.0': 'soon' } }])(
  'a registry that answers %j says nothing',
  (registry) => {
    expect(ageOf('1.0.0', registry, at('2026-05-02'))).toEqual({
      late: false,
      text: 'the registry does not say when its versions were published',
    })
  },
)
