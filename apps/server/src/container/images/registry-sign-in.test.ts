import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { signInAt } from './registry-sign-in.ts'

const clock = new HandClock()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sign-in-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const written = (config: unknown) => writeFileSync(join(folder, 'config.json'), JSON.stringify(config))

test('a docker login is used for pushes to its registry, and nowhere else', async () => {
  written({ auths: { 'registry.example:5000': { auth: Buffer.from('me:a:b').toString('base64') } } })
  const signIn = { username: 'me', password: 'a:b', serveraddress: 'registry.example:5000' }
  expect(await signInAt(folder, 'registry.example:5000/beadloom', clock)).toEqual(signIn)
  expect(await signInAt(folder, 'other.example/beadloom', clock)).toEqual({})
})

test('nobody is signed in without settings; unreadable ones are named', async () => {
  expect(await signInAt(folder, 'registry.example', clock)).toEqual({})
  expect(await signInAt(null, 'registry.example', clock)).toEqual({})
  writeFileSync(join(folder, 'config.json'), '{')
  await expect(signInAt(folder, 'registry.example', clock)).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining(join(folder, 'config.json')),
  })
})

test('a missing helper is named', async () => {
  written({ credHelpers: { 'registry.example': 'no-such-helper-here' } })
  await expect(signInAt(folder, 'registry.example/x', clock)).rejects.toThrow('docker-credential-no-such-helper-here')
})

describe('a helper', () => {
  const path = process.env['PATH']
  afterEach(() => {
    process.env['PATH'] = path
  })
  const helper = (script: string) => {
    const file = join(folder, 'docker-credential-kept')
    writeFileSync(file, `#!/bin/sh\n${script}\n`)
    chmodSync(file, 0o755)
    process.env['PATH'] = `${folder}:${path}`
    written({ credHelpers: { 'registry.example': 'kept' } })
    return signInAt(folder, 'registry.example/x', clock)
  }

  test('is asked for the registry, and says whose login it has', async () => {
    const signIn = { username: 'me', password: 'registry.example', serveraddress: 'registry.example' }
    expect(await helper(`printf '{"Username":"me","Secret":"%s"}' "$(cat)"`)).toEqual(signIn)
    expect(await helper('echo nobody; exit 1')).toEqual({})
  })

  test('whose answer cannot be read is named, but nothing of the answer', async () => {
    const asked = helper('echo my-secret')
    await expect(asked).rejects.toThrow('docker-credential-kept')
    await expect(asked).rejects.not.toThrow('my-secret')
  })

  test('that does not answer is ended', async () => {
    const asked = helper('exec sleep 1000')
    const ended = expect(asked).rejects.toThrow('did not answer within 30 s')
    await vi.waitFor(() => expect(clock.sleepers).toBe(1))
    clock.advance(30_000)
    await ended
  })
})
