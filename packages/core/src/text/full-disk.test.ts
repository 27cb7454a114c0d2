import { expect, test } from 'vitest'
import { saysFullDisk, saysOwnDiskFull } from './full-disk.ts'

test.each([
  'fatal: write error: No space left on device',
  'error: unable to write file .git/objects/ab: Disk quota exceeded',
  'fatal: sha1 file write error. Out of diskspace',
])('%s', (line) => {
  expect(saysFullDisk(line)).toBe(true)
  expect(saysOwnDiskFull(`remote: Enumerating objects: 3, done.\r${line}`)).toBe(true)
  expect(saysOwnDiskFull(`remote: ${line}\n ! [remote rejected] main -> main (unpacker error)`)).toBe(false)
})

test('other trouble is no full disk', () => {
  expect(saysFullDisk('fatal: unable to access: Connection refused')).toBe(false)
})
