import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signInAt } from './registry-sign-in.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sign-in-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const written = (config: unknown) => writeFileSync(join(folder, 'config.json'), JSON.stringify(config))

test('whom docker login has signed in at a registry pushes there, and nowhere else', async () => {
  written({ auths: { 'registry.example:5000': { auth: Buffer.from('me:a:b').toString('base64') } } })
  const signIn = { username: 'me', password: 'a:b', serveraddress: 'registry.example:5000' }
  expect(await signInAt(folder, 'registry.example:5000/beadloom')).toEqual(signIn)
  expect(await signInAt(folder, 'other.example/beadloom')).toEqual({})
})

test('nobody is signed in where there are no settings; those that cannot be read are named', async () => {
  expect(await signInAt(folder, 'registry.example')).toEqual({})
  expect(await signInAt(null, 'registry.example')).toEqual({})
  writeFileSync(join(folder, 'config.json'), '{')
  await expect(signInAt(folder, 'registry.example')).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining(join(folder, 'config.json')),
  })
})

test('a helper that is not there is named', async () => {
  written({ credHelpers: { 'registry.example': 'no-such-helper-here' } })
  await expect(signInAt(folder, 'registry.example/x')).rejects.toThrow('docker-credential-no-such-helper-here')
})
