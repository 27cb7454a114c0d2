import { expect, test } from 'vitest'
import { mountOf, mountsOf } from './mounts.ts'

const mounts = mountsOf(
  '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n310 27 254:0 /srv/bead\\040loom /bead\\040\\134loom rw shared:1 master:2 - ext4 /dev/vdb rw\nnonsense\n',
)

test('mounts are read with their spaces and backslashes, and whatever optional fields they have', () => {
  expect(mounts).toEqual([
    { root: '/', at: '/', type: 'ext4', source: '/dev/vda' },
    { root: '/srv/bead loom', at: '/bead \\loom', type: 'ext4', source: '/dev/vdb' },
  ])
})

test('a path is on the innermost mount that holds it', () => {
  expect(mountOf('/bead \\loom/x', mounts)?.source).toBe('/dev/vdb')
  expect(mountOf('/bead \\loomer', mounts)?.source).toBe('/dev/vda')
  expect(mountOf('/x', [])).toBeNull()
})
