import { expect, test } from 'vitest'
import { outsidePath } from './outside-path.ts'

const mounts = [
  { source: '/var/lib/docker/volumes/beadloom/_data', at: '/data' },
  { source: '/srv/links', at: '/data/link' },
  { source: '/srv/beadloom', at: '/srv/beadloom' },
  { source: '', at: '/tmp' },
]

test.each([
  ['/data', '/var/lib/docker/volumes/beadloom/_data'],
  ['/data/hub/x', '/var/lib/docker/volumes/beadloom/_data/hub/x'],
  ['/data/link/ex-1-work', '/srv/links/ex-1-work'],
  ['/srv/beadloom/link/ex-1', '/srv/beadloom/link/ex-1'],
])('%s of the container is %s of the engine’s host', (path, outside) => expect(outsidePath(path, mounts)).toBe(outside))

test.each([['/database'], ['/tmp/beadloom-1'], ['/home/beadloom']])(
  '%s, which is not mounted from the host, is refused with what to do',
  (path) => expect(() => outsidePath(path, mounts)).toThrow(/is in nothing that is mounted.*-v beadloom:\/data/),
)
