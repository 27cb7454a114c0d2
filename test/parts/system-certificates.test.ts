import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TlsCertificates } from '../support/tls-certificates.ts'

const source = join(import.meta.dirname, '..', '..', 'apps', 'server', 'src')
const href = (file: string) => JSON.stringify(pathToFileURL(join(source, file)).href)
const { nodeCommand } = (await import(pathToFileURL(join(source, '..', 'bin', 'server-command.mjs')).href)) as {
  nodeCommand: (args: string[], env: NodeJS.ProcessEnv) => { command: string; args: string[]; env: NodeJS.ProcessEnv }
}

const certificates = new TlsCertificates()
const server = createServer(
  {
    key: readFileSync(join(certificates.server, 'key.pem')),
    cert: readFileSync(join(certificates.server, 'cert.pem')),
  },
  (_request, response) => response.end('{}'),
)
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
})

afterAll(() => {
  server.close()
  certificates.remove()
})

/** The request of each client of the server, and how it reports the result. */
const clients = {
  'a model endpoint': `
    const { post } = await import(${href('gateway/upstream/upstream-reply.ts')})
    const reply = await post(URL_HERE, {}, Buffer.from('{}'), new AbortController().signal)
    console.log(reply.status)
    process.exit()`,
  'a forge': `
    const { askForge } = await import(${href('forge/ask-forge.ts')})
    const { systemClock } = await import(${href('process/clock.ts')})
    const answer = await askForge(systemClock, { host: 'forge.example.com', token: 't' }, { url: URL_HERE, method: 'GET', headers: {} })
    console.log(answer.status)
    process.exit()`,
}

const ask = (who: keyof typeof clients, authority: string) => {
  const text = clients[who].replace('URL_HERE', JSON.stringify(url))
  const env = { ...process.env, SSL_CERT_FILE: join(authority, 'ca.pem') }
  const { command, args, env: own } = nodeCommand(['--input-type=module', '--eval', text], env)
  return promisify(execFile)(command, args, { env: own })
}

test.each(['a model endpoint', 'a forge'] as const)(
  "%s with a company's own certificate is trusted if the system trusts its authority, and only then",
  async (who) => {
    expect((await ask(who, certificates.server)).stdout.trim()).toBe('200')
    await expect(ask(who, certificates.stranger)).rejects.toThrow(/certificate/)
  },
)
