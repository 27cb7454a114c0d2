import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readHostEnvironment } from './host-environment.ts'

const certificate = (name: string): string => `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----`
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bl-host-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('certificates come from every variable and the system folder, each once, in a fixed order', async () => {
  await writeFile(join(folder, 'a.pem'), `# comment\r\n${certificate('B')}\r\n${certificate('A')}\n`)
  await writeFile(join(folder, 'b.pem'), certificate('A'))
  await mkdir(join(folder, 'system', 'company'), { recursive: true })
  await writeFile(join(folder, 'system', 'company', 'c.crt'), certificate('C'))
  const env = { NODE_EXTRA_CA_CERTS: join(folder, 'a.pem'), SSL_CERT_FILE: join(folder, 'b.pem') }
  expect(await readHostEnvironment(env, join(folder, 'system'))).toEqual({
    caBundle: `${['A', 'B', 'C'].map(certificate).join('\n')}\n`,
    proxy: {},
    problems: [],
  })
})

test('a file that is not there is a problem to show, not a failure', async () => {
  const { caBundle, problems } = await readHostEnvironment({ SSL_CERT_FILE: join(folder, 'none') }, folder)
  expect(caBundle).toBeNull()
  expect(problems[0]).toMatch(/^SSL_CERT_FILE=.*none cannot be read/)
})

test('the link never goes through the proxy', async () => {
  const { proxy } = await readHostEnvironment({ https_proxy: 'http://p:1', no_proxy: '.corp' }, folder)
  expect(proxy).toEqual({
    https_proxy: 'http://p:1',
    NO_PROXY: '.corp,127.0.0.1,localhost',
    no_proxy: '.corp,127.0.0.1,localhost',
  })
})

test.each(['http://ada:secret@proxy.example:3128', 'ada:secret@proxy.example:3128', 'http://ada@proxy.example'])(
  'a proxy that needs a sign-in, %s, is in no container, and the server says what to do',
  async (address) => {
    const env = { HTTPS_PROXY: address, HTTP_PROXY: 'http://proxy.example:3128' }
    const { proxy, problems } = await readHostEnvironment(env, folder)
    expect(Object.keys(proxy)).toEqual(['HTTP_PROXY', 'NO_PROXY', 'no_proxy'])
    expect(problems).toEqual([expect.stringMatching(/^HTTPS_PROXY has a user name or a password, .* run a proxy on /)])
    expect(problems.join()).not.toContain('secret')
  },
)
