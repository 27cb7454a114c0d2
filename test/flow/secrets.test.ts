// @suite flow-long
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/*
 * A private registry of npm packages, and its token: setup has the token; no layer of the image, no container and no
 * log does. The registry runs in the container of setup, on its loopback.
 */

const CANARY = 'npm_C4naryFlow8f2e6119'
const PORT = 4873

let world: World
beforeAll(async () => {
  world = await World.start()
})
afterAll(() => world.stop())

/** A package as a registry serves it. */
function packed(): { tarball: string; integrity: string } {
  const folder = world.newFolder('greeting')
  mkdirSync(join(folder, 'package'))
  writeFileSync(join(folder, 'package', 'package.json'), '{"name": "greeting", "version": "1.0.0", "main": "index.js"}')
  writeFileSync(join(folder, 'package', 'index.js'), "module.exports = 'hello from a private package'\n")
  execFileSync('tar', ['-czf', 'greeting.tgz', 'package'], { cwd: folder })
  const bytes = readFileSync(join(folder, 'greeting.tgz'))
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  return { tarball: bytes.toString('base64'), integrity }
}

/** Answers only requests with the token; it knows only the hash of that. */
const registry = (tarball: string) => `
const { createHash } = require('node:crypto')
const known = '${createHash('sha256').update(`Bearer ${CANARY}`).digest('hex')}'
require('node:http').createServer((request, response) => {
  const token = createHash('sha256').update(request.headers.authorization ?? '').digest('hex')
  if (token !== known) return response.writeHead(401).end('{}')
  response.end(Buffer.from('${tarball}', 'base64'))
}).listen(${PORT}, '127.0.0.1')
`

function files() {
  const { tarball, integrity } = packed()
  const manifest = { name: 'shop', version: '1.0.0', dependencies: { greeting: '1.0.0' } }
  const resolved = `http://127.0.0.1:${PORT}/greeting/-/greeting-1.0.0.tgz`
  const lock = {
    name: 'shop',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: { '': manifest, 'node_modules/greeting': { version: '1.0.0', resolved, integrity } },
  }
  return {
    ...shellProject({
      agent: `node -p "require('greeting')" > answer.txt; env > env.txt\n`,
      testsFirst: false,
      config: {
        secrets: ['NPM_TOKEN'],
        setup: 'node registry.cjs & echo "with $NPM_TOKEN"; sleep 1; npm ci --no-audit; env | sort; kill $!',
        test: `node -e "require('greeting')" && ! env | grep NPM_TOKEN`,
      },
    }),
    '.npmrc': `registry=http://127.0.0.1:${PORT}/\n//127.0.0.1:${PORT}/:_authToken=\${NPM_TOKEN}\n`,
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify(lock),
    'registry.cjs': registry(tarball),
  }
}

const docker = (...args: string[]) => execFileSync('docker', args, { encoding: 'utf8' }).trim()

test('setup installs from a private registry, and the token stays behind', async () => {
  const { remote } = await world.addProject('shop', files(), [{ id: 'sh-1', title: 'Greet' }])
  await world.api('PUT', '/api/projects/shop/secrets/NPM_TOKEN', { value: CANARY })
  const { id } = await world.queue('shop', 'sh-1')
  await world.until(async () => {
    const { proof } = await world.get<EnvironmentView>('/api/projects/shop/environment')
    expect(proof?.state, JSON.stringify(proof)).not.toBe('broken')
    return isTerminal((await world.execution(id)).state)
  })
  const ended = await world.ended(id)
  expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED' })
  expect(git(remote, 'show', 'beadloom/work:answer.txt')).toBe('hello from a private package')
  expect(git(remote, 'show', 'beadloom/work:env.txt')).not.toContain('NPM_TOKEN')

  const log = await fetch(`${world.server.url}/api/projects/shop/environment/log?of=setup`, {
    headers: { authorization: `Bearer ${world.server.token}` },
  })
  expect(await log.text()).toContain('with ***\n')
  const [image = ''] = docker('images', '--quiet', 'beadloom/project-shop').split('\n')
  expect(docker('history', '--no-trunc', image) + docker('inspect', image)).not.toContain(CANARY)
  const inLayers = spawnSync('sh', ['-c', `docker save ${image} | grep -c -aF ${CANARY}`], { encoding: 'utf8' })
  expect(inLayers.stdout.trim()).toBe('0')
  const inData = spawnSync('grep', ['-rlaF', '--exclude=secrets.json', CANARY, world.data], { encoding: 'utf8' })
  expect(inData.stdout).toBe('')
  await world.containers.removeImages('shop')
})
