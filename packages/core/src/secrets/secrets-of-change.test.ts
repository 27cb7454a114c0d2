import { describe, expect, test } from 'vitest'
import type { FoundSecret } from './found-secret.ts'
import { maskedSecrets } from './masked-secrets.ts'
import { secretsOfChange } from './secrets-of-change.ts'

/* No key here is real, and none is complete: other people's scanners read this file, too. */

/** Pseudo-random letters, the same each time. */
function letters(count: number, alphabet: string, seed = 7): string {
  let state = seed
  let text = ''
  while (text.length < count) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    text += alphabet[(state >> 12) % alphabet.length]
  }
  return text
}
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const any = `${upper}${upper.toLowerCase()}0123456789`
const hex = '0123456789abcdef'
const privateKey = (count = 10) =>
  [
    `-----BEGIN ${'RSA PRIVATE'} KEY-----`,
    ...Array.from({ length: count }, (_, at) => letters(64, `${any}+/`, at + 1)),
    `-----END ${'RSA PRIVATE'} KEY-----`,
  ].join('\n')

const patchOf = (path: string, text: string, line = 1): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -${line},0 +${line},9 @@\n${text
    .split('\n')
    .map((one) => `+${one}\n`)
    .join('')}`
const zeros = '0'.repeat(40)
const binaryPatch = (path: string, before: string, after = 'b'.repeat(40)): string =>
  `diff --git a/${path} b/${path}\nindex ${before}..${after}\nBinary files a/${path} and b/${path} differ\n`
const found = (path: string, text: string): FoundSecret[] => secretsOfChange([patchOf(path, text)]).found

const keys: [string, string, string][] = [
  ['of AWS', 'aws-access-token', `AKIA${letters(16, `${upper}234567`)}`],
  ['of GitHub', 'github-pat', `ghp_${letters(36, any)}`],
  ['of GitLab', 'gitlab-pat', `glpat-${letters(20, any)}`],
  ['of Google', 'gcp-api-key', `AIza${letters(35, any)}`],
  [
    'of Slack',
    'slack-bot-token',
    `xoxb-${letters(12, '0123456789')}-${letters(12, '0123456789', 3)}-${letters(24, any)}`,
  ],
  ['of Stripe', 'stripe-access-token', `sk_live_${letters(24, any)}`],
  ['of npm', 'npm-access-token', `npm_${letters(36, any.toLowerCase())}`],
  ['of Sendgrid', 'sendgrid-api-token', `SG.${letters(22, any)}.${letters(43, any)}`],
  ['of Anthropic', 'anthropic-api-key', `sk-ant-api03-${letters(93, any)}AA`],
  ['of Hugging Face', 'huggingface-access-token', `hf_${letters(34, `${upper}${upper.toLowerCase()}`)}`],
]

test.each(keys)('a key %s is found with its place, whatever is around it', (_, rule, key) => {
  const text = `import { send } from './send.js'\n\nsend("${key}")`
  expect(found('src/app.js', text)).toEqual([
    { rule, path: 'src/app.js', line: 3, commit: '', secret: key, refused: true },
  ])
})

test.each<[string, string, string, string]>([
  [
    'a password in an address',
    'url-password',
    'src/db.py',
    `connect("postgres://app:${letters(14, any)}@db.shop.io/app")`,
  ],
  ['a word for it beside it', 'generic-api-key', 'src/a.ts', `const apiToken = '${letters(32, any)}'`],
  [
    'a header of a call',
    'curl-auth-header',
    'deploy.sh',
    `curl -H "Authorization: Bearer ${letters(30, any)}" "$URL" `,
  ],
])('%s gives it away', (_, rule, path, text) => {
  expect(found(path, text)).toMatchObject([{ rule, line: 1, refused: true }])
})

describe('a private key', () => {
  test('is found, with the line where it begins', () => {
    expect(found('deploy/server.pem', `# ours\n${privateKey()}`)).toMatchObject([{ rule: 'private-key', line: 2 }])
  })

  test('that is made for tests is reported, and not refused', () => {
    expect(found('test/fixtures/server.pem', privateKey())).toMatchObject([{ rule: 'private-key', refused: false }])
  })

  test('that is only hinted at does not count', () => {
    expect(found('src/key.ts', privateKey(0).replace('\n', '\nMIIEvQIBADANBgkqhkiG9w0BAQ...\n'))).toEqual([])
    expect(found('src/key.ts', 'if (text.includes("-----BEGIN PRIVATE KEY-----")) return')).toEqual([])
  })
})

describe('a file', () => {
  test('is a key by its name', () => {
    expect(found('deploy/id_ed25519', 'b3BlbnNzaC1r')).toMatchObject([{ rule: 'key file', line: 0 }])
    expect(found('certs/shop.p12', 'x')).toMatchObject([{ rule: 'key file' }])
    expect(found('id_rsa.pub', 'ssh-rsa AAAA')).toEqual([])
    const binary = (path: string, before = zeros) => secretsOfChange([binaryPatch(path, before)]).found
    expect(binary('certs/shop.p12', 'a'.repeat(40))).toEqual([])
    expect(binary('certs/shop.p12')).toMatchObject([{ rule: 'key file', path: 'certs/shop.p12', line: 0 }])
    expect(binary('logo.png')).toEqual([])
  })

  test('of variables is one if it gives a secret its value', () => {
    const values = `PORT=3000\nDATABASE_PASSWORD="${letters(16, any)}"`
    expect(found('.env', values)).toMatchObject([{ rule: 'file of variables', line: 0 }])
    expect(found('.env', 'PORT=3000\nAPI_TOKEN=\nDB_PASSWORD=changeme-please\nVITE_PUBLIC_KEY=0')).toEqual([])
    expect(found('.env.example', 'PORT=3000\nDATABASE_PASSWORD=your-password-here')).toEqual([])
    expect(found('test/fixtures/.env', values)).toEqual([])
  })
})

describe('no secret is', () => {
  test.each<[string, string, string]>([
    ['the key of a documentation', 'src/a.ts', `const id = 'AKIAIOSFODNN7${'EXAMPLE'}'`],
    ['one of equal letters', 'src/a.ts', `const token = 'ghp_${'x'.repeat(36)}'`],
    ['one that was typed', 'src/a.ts', `const apiKey = '0123456789abcdef0123456789abcdef'`],
    ['a word for one', 'src/a.ts', `const password = 'changeme-in-production1'`],
    ['what says that it is yours to fill in', 'config.yaml', `api_key: your-api-key-9f8e7d6c5b4a3210`],
    ['a variable', 'src/a.ts', 'const apiKey = process.env.SERVICE_API_KEY_2024'],
    ['a template', 'config.yaml', `api_key: \${SERVICE_API_KEY_2024}`],
    ['a digest', 'src/a.py', `openapi_commit = "${letters(40, hex)}"`],
    ['a name in parts', 'src/A.java', 'String KEY = "slf4j.internal.verbosity";'],
    ['a password of a container beside it', 'compose.yaml', 'url: postgres://app:8fKq2mZp4x@db:5432/app'],
    ['a password at an example', 'src/a.ts', "fetch('https://ann:8fKq2mZp4x@api.example.com/')"],
    ['a word in a test', 'src/a.test.ts', `const apiToken = '${letters(32, any)}'`],
    ['a word in a text for readers', 'docs/api.md', `api_key = "${letters(32, any)}"`],
    ['the digest of a package', 'yarn.lock', `facebook_secret = "${letters(32, hex)}"`],
    ['what others wrote', 'vendor/lib/a.js', `ghp_${letters(36, any)}`],
  ])('%s', (_, path, text) => {
    expect(found(path, text)).toEqual([])
  })
})

describe('a patch', () => {
  const key = `ghp_${letters(36, any)}`

  test('is searched in its added lines', () => {
    const header = 'diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n'
    expect(secretsOfChange([`${header}@@ -4,1 +4,1 @@\n-send('${key}')\n+send(token)\n`]).found).toEqual([])
  })

  test('of several commits names the commit, once for each', () => {
    const each = `commit ${'a'.repeat(40)}\n\n${patchOf('a.js', `send('${key}')\nsend('${key}')`, 12)}\ncommit ${'b'.repeat(40)}\n\n${patchOf('b.js', `send('${key}')`)}`
    expect(secretsOfChange([each]).found).toMatchObject([
      { commit: 'a'.repeat(40), path: 'a.js', line: 12 },
      { commit: 'b'.repeat(40), path: 'b.js', line: 1 },
    ])
  })

  test('has no header among its lines', () => {
    expect(found('a.js', `++ b/docs/other.md\nsend('${key}')`)).toMatchObject([{ path: 'a.js', line: 2 }])
  })

  test('with too many secrets to list says so', () => {
    const many = Array.from({ length: 150 }, (_, at) => `send('ghp_${letters(36, any, at + 1)}')`).join('\n')
    const { found: told, more } = secretsOfChange([patchOf('a.js', many)])
    expect(told).toHaveLength(100)
    expect(more).toBe(true)
  })

  test('of one long line is searched like any other', () => {
    expect(found('a.js', `${'a=1;'.repeat(50_000)}send('${key}')${';b=2'.repeat(50_000)}`)).toMatchObject([{ line: 1 }])
  })
})

describe('a file without readable lines', () => {
  const key = `ghp_${letters(36, any)}`
  const sound = `diff --git a/${key}.md b/${key}.md\nnew file mode 100644\nindex ${zeros}..${'c'.repeat(40)}\n`

  test('is named with its bytes and its former bytes, unless it is gone or not read', () => {
    const [old, now] = ['a'.repeat(40), 'b'.repeat(40)]
    const patches = [
      binaryPatch('logo.png', old, now),
      binaryPatch('new file.bin', zeros, now),
      binaryPatch('gone.png', old, zeros),
      binaryPatch('vendor/a.bin', zeros, now),
    ]
    expect(secretsOfChange([patches.join('')]).toRead).toEqual([
      { commit: '', path: 'logo.png', object: now, before: [old] },
      { commit: '', path: 'new file.bin', object: now, before: [] },
    ])
  })

  test("is searched as a whole if its text is given, even a commit's", () => {
    const texts = [
      { commit: '', path: 'notes.bin', text: `x\nsend('${key}')` },
      { commit: 'c'.repeat(40), path: '', text: `Ann <ann@shop.io>\nUse ${key}` },
      { commit: '', path: '.env', text: `API_TOKEN=${letters(24, any)}` },
    ]
    expect(secretsOfChange([], texts).found).toMatchObject([
      { path: 'notes.bin', line: 2, secret: key },
      { path: '', commit: 'c'.repeat(40), line: 2, secret: key },
      { path: '.env', rule: 'file of variables' },
    ])
  })

  test('may have words beside values that are not secrets', () => {
    const words = `apiToken = "${letters(32, any)}"`
    expect(secretsOfChange([], [{ commit: '', path: 'app.sqlite', text: `\u0001${words}` }]).found).toEqual([])
    expect(secretsOfChange([], [{ commit: '', path: 'app.cfg', text: words }]).found).toHaveLength(1)
  })

  test('may have a new secret as its name', () => {
    expect(secretsOfChange([sound]).found).toMatchObject([{ path: `${key}.md`, line: 0, secret: key }])
    const moved = (from: string) =>
      `diff --git a/${from} b/doc/${key}.md\nsimilarity index 100%\nrename from ${from}\nrename to doc/${key}.md\n`
    expect(secretsOfChange([moved('a.md')]).found).toMatchObject([{ path: `doc/${key}.md` }])
    expect(secretsOfChange([moved(`${key}.md`)]).found).toEqual([])
  })
})

test('a zero byte in a line hides nothing', () => {
  const key = `ghp_${letters(36, any)}`
  expect(found('a.js', `\0send('${key.split('').join('\0')}')`)).toMatchObject([{ line: 1, secret: key }])
})

describe('a text that leaves the server', () => {
  const key = `ghp_${letters(36, any)}`

  test('contains no secret, and is otherwise the same', () => {
    expect(maskedSecrets(`Tests fail:\n  sent ${key}, got 401\n(${key})`)).toBe(
      'Tests fail:\n  sent ***, got 401\n(***)',
    )
    expect(maskedSecrets(`a\n${privateKey()}\nb`)).toBe('a\n***\nb')
    const plain = 'Use `apiToken = process.env.TOKEN`, see https://shop.io/a?b=1'
    expect(maskedSecrets(plain)).toBe(plain)
  })

  test('that is full of secrets is left out', () => {
    const many = Array.from({ length: 101 }, (_, at) => `ghp_${letters(36, any, at + 1)}`).join('\n')
    expect(maskedSecrets(many)).not.toContain('ghp_')
  })
})

describe('a private key', () => {
  const lines = privateKey(1).split('\n')
  const [old, now] = ['a'.repeat(40), 'b'.repeat(40)]
  const changed = (added: readonly string[], before = old) =>
    `diff --git a/conf/a.pem b/conf/a.pem\nindex ${before}..${now} 100644\n--- a/conf/a.pem\n+++ b/conf/a.pem\n@@ -2 +2,${added.length} @@\n${added.map((line) => `+${line}\n`).join('')}`

  test('that replaces another between its head and end is read with the whole file', () => {
    const inside = lines.slice(1, -1)
    const file = { commit: '', path: 'conf/a.pem', object: now, before: [old], isText: true }
    expect(secretsOfChange([changed(inside)])).toMatchObject({ found: [], toRead: [file] })
    const inCode = inside.map((line) => `  '${line}\\n' +`)
    expect(secretsOfChange([changed(inCode)]).toRead).toEqual([file])
  })

  test('is in the lines themselves if they have its head, or if the file is new', () => {
    expect(secretsOfChange([changed(lines)])).toMatchObject({ found: [{ rule: 'private-key' }], toRead: [] })
    expect(secretsOfChange([changed(lines.slice(1, -1), zeros)]).toRead).toEqual([])
    expect(secretsOfChange([changed(['export const a = 1'])]).toRead).toEqual([])
  })

  // A run of a patch is cut after 16,384 of these lines, a file after 17,476.
  test.each([16_360, 16_371, 16_382, 17_460, 17_468, 17_476])(
    'is found after %i lines, where a text is cut',
    (count) => {
      const key = privateKey(20)
      const text = `${'a line of text\n'.repeat(count)}${key}\n${'more\n'.repeat(9_000)}`
      const where = { rule: 'private-key', line: count + 1 }
      expect(secretsOfChange([patchOf('conf/a.txt', text)]).found).toMatchObject([where])
      expect(secretsOfChange([], [{ commit: '', path: 'a.bin', text }]).found).toMatchObject([where])
      expect(maskedSecrets(text)).not.toContain(key.split('\n')[2])
    },
  )
})
