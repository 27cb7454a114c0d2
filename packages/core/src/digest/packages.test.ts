import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestText } from './digest-reader.ts'
import { fixture } from './testing/fixture.ts'

const names = readdirSync(join(import.meta.dirname, 'fixtures', 'packages')).map((file) => file.replace(/\.txt$/, ''))

describe('the output of several packages', () => {
  test.each([
    ['pnpm', ['packages/cart: cart totals', 'packages/web: web totals']],
    ['pnpm-no-bail', ['packages/cart: cart totals', 'packages/web: web totals']],
    ['pnpm-root', ['packages/web: web totals']],
    ['pnpm-lint', ['packages/web: ESLint itself failed: No files matching the pattern "." were found.']],
    ['turbo', ['@shop/cart: cart totals', '@shop/web: web totals']],
    ['turbo-grouped', ['@shop/cart: cart totals', '@shop/web: web totals']],
    ['turbo-ci', ['@shop/cart: cart totals', '@shop/web: web totals']],
    ['lerna', ['@shop/cart: cart totals', '@shop/web: web totals']],
    ['lerna-stream', ['@shop/cart: cart totals', '@shop/web: web totals']],
    ['nx', ['@shop/cart: cart totals', '@shop/web: web totals']],
    ['nx-stream', ['@shop/cart: cart totals', '@shop/web: web totals']],
    ['npm', ['@shop/cart: cart totals', '@shop/web: web totals']],
    ['concurrently', ['cart: cart totals']],
    ['concurrently-numbers', ['@shop/cart: cart totals', '@shop/web: web totals']],
  ])('names the package of each failure: %s', (name, titles) => {
    const { digest, failures, passed } = digestText(fixture(`packages/${name}`))
    expect({ passed, failures }).toEqual({ passed: false, failures: titles.length })
    expect(digest.split('\n').filter((line) => titles.includes(line))).toEqual(titles)
  })

  test.each([
    ['web-1  | ', 'web-1: '],
    ['packages/core test: ', 'packages/core: '],
    ['', ''],
  ])(
    'names a single package by the output of docker compose and pnpm, even if their head is lost: "%s"',
    (prefix, name) => {
      const lines = fixture('go-test/failures').split('\n')
      const own = digestText(lines.join('\n'))
      const { tool, failures, digest } = digestText(lines.map((line) => prefix + line).join('\n'))
      expect({ tool, failures }).toEqual({ tool: own.tool, failures: own.failures })
      expect(digest.split('\n', 1)[0]).toContain(name)
    },
  )

  test('is the same failure in any order of the packages, and a different one in another package', () => {
    const { fingerprint } = digestText(fixture('packages/pnpm'))
    expect(digestText(fixture('packages/pnpm-no-bail')).fingerprint).toBe(fingerprint)
    const moved = fixture('packages/pnpm').replaceAll('packages/web', 'packages/shop')
    expect(digestText(moved).fingerprint).not.toBe(fingerprint)
  })

  test.each(names)('is read through the stamps of a CI system, Windows line ends and colours: %s', (name) => {
    const plain = digestText(fixture(`packages/${name}`))
    const lines = fixture(`packages/${name}`).split('\n')
    const stamped = lines.map((line, at) => `2026-11-22T23:54:${10 + (at % 50)}.${1000000 + at}Z ${line}`).join('\r\n')
    expect(digestText(stamped).fingerprint).toBe(plain.fingerprint)
    const coloured = lines.map((line) => line.replace(/^(\S+(?: \S+)?: )/, '\u001b[36m$1\u001b[0m')).join('\n')
    expect(digestText(coloured).fingerprint).toBe(plain.fingerprint)
  })

  test.each(['pnpm', 'turbo', 'lerna-stream', 'concurrently'])(
    'is told apart even if its beginning is lost: %s',
    (name) => {
      const text = fixture(`packages/${name}`)
      const lines = text.split('\n')
      const from = lines.findIndex((line) => line.includes('TAP version'))
      expect(digestText(lines.slice(from).join('\n')).digest).toContain(
        digestText(text)
          .digest.split('\n')
          .find((line) => line.endsWith('cart totals')),
      )
    },
  )

  test('tells a test of one name in two packages apart', () => {
    const one = (scope: string, file: string) =>
      `${scope}: > ${scope}@1.0.0 build\n${scope}: > tsc -p .\n${scope}: ${file}(1,7): error TS2322: No.\n`
    const { digest } = digestText(`${one('@a/web', 'src/x.ts')}${one('@b/web', 'src/x.ts')}`)
    expect(digest).toContain('[BUILD] 2 build errors in 2 packages (@a/web, @b/web)')
    expect(digest).toContain('@b/web: src/x.ts(1,7): error TS2322: No.')
  })

  test('has one name for one package: a script that calls another is no package', () => {
    const text =
      '\n> app@1.0.0 test\n> npm run types\n\n\n> app@1.0.0 types\n> tsc\n\nsrc/a.ts(1,7): error TS2322: No.\n'
    expect(digestText(text).digest).toBe('[BUILD] 1 build error:\nsrc/a.ts(1,7): error TS2322: No.')
  })

  test('loses no failure to a title that a test printed', () => {
    const tap = (name: string) => `not ok 1 - ${name}\n  ---\n  error: 'no'\n  ...\n`
    const title = '> other@1.0.0 test\n> node --test\n'
    const text = `\n> app@1.0.0 test\n> tape\n\nTAP version 13\n${tap('first')}${title}${tap('second')}1..2\n# tests 2\n# fail 2\n`
    expect(digestText(text)).toMatchObject({ tool: 'tap', failures: 2 })
  })
})

describe('stamps', () => {
  const log = ['Checking', 'src/a.ts(1,7): error TS2322: No.', '', 'src/b.ts(2,7): error TS2322: No.', 'done']
  test.each([
    ['2026-11-22T23:54:10.1234567Z '],
    ['2026-11-22 23:54:10,123 '],
    ['[2026-11-22T23:54:10Z] '],
    ['[23:54:10] '],
    ['23:54:10.123 '],
    ['Nov 22 23:54:10 '],
    ['#12 3.456 '],
    ['build\tRun npm test\t2026-11-22T23:54:10.1234567Z '],
    ['2026-11-22T23:54:10.123456Z 01O '],
  ])('in front of each line are ignored: %s', (stamp) => {
    const { digest, findings } = digestText(log.map((line) => `${stamp}${line}`).join('\n'))
    expect(digest).toBe('[BUILD] 2 build errors:\nsrc/a.ts(1,7): error TS2322: No.\nsrc/b.ts(2,7): error TS2322: No.')
    expect(findings).toEqual(digestText(log.join('\n')).findings)
  })

  test('are kept if only some lines have them, as a test may compare them', () => {
    expect(digestText('Error: 12:00:00 is not\n13:00:00 today\nnor tomorrow\nnor ever\n').digest).toContain(
      '13:00:00 today',
    )
  })
})
