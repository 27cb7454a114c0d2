import { afterEach, expect, test } from 'vitest'
import { fakeDaemon, type FakeDaemon } from '../container/testing/fake-daemon.ts'
import type { ServerSettings } from '../process/settings/settings.ts'
import { checkEngines } from './health-checks.ts'

let daemon: FakeDaemon | null = null
afterEach(() => daemon?.close())

/**
 * The words of `doctor` about an engine of `config.json` that has no image of ours yet and describes itself like this.
 */
async function saidOf(info: object, allowUnlimited = false) {
  const about = { NCPU: 2, MemTotal: 2 ** 33, ServerVersion: '28', ApiVersion: '1.41', ...info }
  daemon = await fakeDaemon(({ url = '' }, response) => {
    const isExec = url.startsWith('/exec/')
    response.writeHead(isExec ? 404 : 200, { 'content-type': 'application/json' })
    const answer = url.startsWith('/images/') ? [] : about
    response.end(JSON.stringify(isExec ? { message: 'No such exec instance: x' } : answer))
  })
  const engines = new Map([['box', { docker: daemon.dockerHost }]])
  const settings: Partial<ServerSettings> = { engines, slots: 3, allowUnlimited }
  const [check] = await checkEngines(settings as ServerSettings, {})
  return check
}

test('an engine of config.json has one line: what it is, where, and which of its limits act', async () => {
  const check = await saidOf({ MemoryLimit: true, SwapLimit: true })
  expect(check).toMatchObject({ name: 'box', ok: true })
  expect(check?.text).toMatch(/^Docker 28, 2 CPUs, 8 GiB; .*config\.json calls it "box".*; limits: not looked at yet: /)
})

test.each([
  ['is not well', false],
  ['is well where a person allows it', true],
])('an engine that cannot limit memory %s', async (_, allowUnlimited) => {
  const check = await saidOf({ MemoryLimit: false, SwapLimit: true }, allowUnlimited)
  expect(check).toMatchObject({ name: 'box', ok: allowUnlimited })
  expect(check?.text).toMatch(/; limits: not limited in containers: memory\. /)
})

test('an engine that is away is not asked for its limits', async () => {
  const engines = new Map([['box', { docker: 'tcp://127.0.0.1:1' }]])
  const [check] = await checkEngines({ engines, slots: 3, allowUnlimited: false } as unknown as ServerSettings, {})
  expect(check).toMatchObject({ name: 'box', ok: false })
  expect(check?.text).toMatch(/^Docker does not answer at tcp:\/\/127\.0\.0\.1:1 .*correct "engines\.box\.docker"/)
  expect(check?.text).not.toContain('limits')
})
