import { describe, expect, test } from 'vitest'
import { addedSecrets, foundIn, rareLine } from './added-secrets.ts'
import type { FoundSecret } from './found-secret.ts'

const secretOf = (secret: string, patch: Partial<FoundSecret> = {}): FoundSecret => ({
  rule: 'a-rule',
  path: 'src/a.ts',
  line: 3,
  commit: '',
  secret,
  refused: true,
  ...patch,
})
const KEY = 'sk-0123456789abcdef'

describe('a secret counts as added', () => {
  test('unless the base has its rarest line already', () => {
    const key = `-----BEGIN KEY-----\r\nMIIEpAIBAAKCAQEA7bq2\nAAAA\n-----END KEY-----`
    expect(addedSecrets([secretOf(key)], new Set(['MIIEpAIBAAKCAQEA7bq2']))).toEqual({ now: [], before: [] })
    expect(addedSecrets([secretOf(key)], new Set(['AAAA'])).now).toHaveLength(1)
  })

  test('in the present files, and not once more for the commit that brought it', () => {
    const both = [secretOf(KEY), secretOf(KEY, { commit: 'c1' }), secretOf(KEY, { commit: 'c1', path: 'src/old.ts' })]
    expect(addedSecrets(both, new Set())).toEqual({ now: [both[0]], before: [] })
  })

  test('in earlier commits once for each file that had it', () => {
    const commits = [
      secretOf(KEY, { commit: 'c1' }),
      secretOf(KEY, { commit: 'c2' }),
      secretOf(KEY, { commit: 'c2', path: 'src/b.ts' }),
      secretOf('ghp_another0123456789', { commit: 'c2' }),
    ]
    const { now, before } = addedSecrets(commits, new Set())
    expect(now).toEqual([])
    expect(before.map(({ path, secret }) => [path, secret])).toEqual([
      ['src/a.ts', KEY],
      ['src/b.ts', KEY],
      ['src/a.ts', 'ghp_another0123456789'],
    ])
  })
})

test('the rare line of a secret is its longest one, and a short secret has none', () => {
  expect(rareLine(secretOf('short\nlongest-line\nline'))).toBe('longest-line')
  expect(rareLine(secretOf('1234567'))).toBe('')
  expect(rareLine(secretOf('12345678'))).toBe('12345678')
})

test('a secret that the lines have shown is not found again in the whole file', () => {
  const line = secretOf(KEY)
  expect(foundIn([line], [{ ...line, line: 0 }])).toEqual([line])
  const others = [{ ...line, path: 'src/b.ts' }, { ...line, commit: 'c1' }, secretOf('ghp_another0123456789')]
  expect(foundIn([line], others)).toEqual([line, ...others])
})
