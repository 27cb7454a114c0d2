import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { GitDoor } from '../ports/hub.ts'
import { execution, type Kit, projectId, startKit } from './hub-kit.ts'

/* A session whose node was cut off may push when the node is back: another one has begun from its last push. */

const branch = 'beads-bl-1-add-a-thing'
let kit: Kit
let base: string
let door: GitDoor
let server: Server
let url: string
/** Requests that have come in and are not answered yet. */
let asked = 0
beforeEach(async () => {
  kit = await startKit()
  base = (await kit.hub.fetch(kit.project(await kit.source('lib')))).commit
  await kit.hub.ensureBranch(projectId, branch, base)
  door = kit.hub.serve({ project: projectId, execution, pushable: { branch } })
  server = createServer((incoming, response) => {
    asked += 1
    door.answer(incoming, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/git/hub.git`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await kit.close()
})

async function work(): Promise<{ folder: string; commit: string }> {
  const folder = join(kit.root, 'work')
  await kit.git(kit.root, 'clone', '-q', '--branch', branch, url, folder)
  return { folder, commit: await kit.commit(folder, { 'late.txt': 'late' }) }
}

test("a session's pushes after its rights were revoked are refused, and earlier ones stay", async () => {
  const { folder, commit } = await work()
  await kit.git(folder, 'push', '-q', 'origin', 'HEAD')
  await door.revoke()
  await kit.commit(folder, { 'later.txt': 'later' })
  await expect(kit.git(folder, 'push', 'origin', 'HEAD')).rejects.toThrow(/this session is over/)
  await expect(kit.git(folder, 'push', 'origin', `HEAD:refs/beadloom/${execution}/left`)).rejects.toThrow(
    /this session is over/,
  )
  expect(await kit.hub.tip(projectId, branch)).toBe(commit)
  expect(await kit.hub.tip(projectId, `refs/beadloom/${execution}/left`)).toBeNull()
})

test('another session of the same execution can still push', async () => {
  const { folder } = await work()
  await door.revoke()
  const next = await kit.serve({ project: projectId, execution, pushable: { branch } })
  await kit.git(folder, 'push', '-q', next, `HEAD:refs/heads/${branch}`)
  expect(await kit.hub.tip(projectId, branch)).not.toBe(base)
})

test('a push that hangs half-way at the revocation moves nothing, even when its rest arrives later', async () => {
  const { folder, commit } = await work()
  const line = `${base} ${commit} refs/heads/${branch}\0 report-status`
  const head = `${(Buffer.byteLength(line) + 4).toString(16).padStart(4, '0')}${line}0000`
  const pack = execFileSync('git', ['pack-objects', '--revs', '--stdout', '-q'], {
    cwd: folder,
    input: `${commit}\n^${base}\n`,
  })
  const before = asked
  const push = request(`${url}/git-receive-pack`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-git-receive-pack-request' },
  })
  push.on('error', () => {})
  const answered = new Promise<void>((resolve) => {
    push.on('response', (response) => void response.resume().on('end', resolve).on('error', resolve))
    push.on('close', resolve)
  })
  push.write(head)
  push.write(pack.subarray(0, pack.length - 10))
  while (asked === before) await new Promise((resolve) => setImmediate(resolve))
  await door.revoke()
  push.end(pack.subarray(pack.length - 10))
  await answered
  expect(await kit.hub.tip(projectId, branch)).toBe(base)
})
