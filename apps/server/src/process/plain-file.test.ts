import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readPlainFile } from './plain-file.ts'

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bl-plain-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'it')
}

test('a file is read, even through a link', async () => {
  const path = place()
  writeFileSync(path, 'text')
  symlinkSync(path, `${path}-link`)
  expect(await readPlainFile(path, 10)).toBe('text')
  expect(await readPlainFile(`${path}-link`, 10)).toBe('text')
})

test('a file that is too long is not read', async () => {
  const path = place()
  writeFileSync(path, 'x'.repeat(11))
  await expect(readPlainFile(path, 10)).rejects.toThrow('more than 10 bytes')
})

test('a pipe is not waited for', async () => {
  const path = place()
  execFileSync('mkfifo', [path])
  await expect(readPlainFile(path, 10)).rejects.toThrow(`${path} is a pipe (FIFO) and not a file: move it away`)
})

test('a folder, a socket and a device are named by their kind', async () => {
  const path = place()
  mkdirSync(path)
  await expect(readPlainFile(path, 10)).rejects.toThrow('is a folder')
  const socket = createServer().listen(`${path}.sock`)
  await new Promise((resolve) => socket.once('listening', resolve))
  onTestFinished(() => void socket.close())
  await expect(readPlainFile(`${path}.sock`, 10)).rejects.toThrow('is a socket')
  await expect(readPlainFile('/dev/null', 10)).rejects.toThrow('is a device')
})

test('a missing file is Node’s own error', async () => {
  await expect(readPlainFile(place(), 10)).rejects.toMatchObject({ code: 'ENOENT' })
})
