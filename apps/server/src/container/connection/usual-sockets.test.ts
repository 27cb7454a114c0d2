import { expect, test } from 'vitest'
import { howToRestart, howToStart } from './products.ts'
import { colimaFolders, usualSockets } from './usual-sockets.ts'

const env = { HOME: '/home/me', XDG_RUNTIME_DIR: '/run/user/1000' }

test('the usual sockets of a person are those of Docker first and of Podman last, each once', () => {
  expect(usualSockets({ env, uid: 1000 }, ['/home/me/.colima/default', '/home/me/.colima/big'])).toEqual([
    '/var/run/docker.sock',
    '/home/me/.docker/run/docker.sock',
    '/home/me/.docker/desktop/docker.sock',
    '/home/me/.orbstack/run/docker.sock',
    '/home/me/.colima/default/docker.sock',
    '/home/me/.colima/big/docker.sock',
    '/home/me/.rd/docker.sock',
    '/home/me/.lima/docker/sock/docker.sock',
    '/home/me/.lima/default/sock/docker.sock',
    '/run/user/1000/docker.sock',
    '/run/user/1000/podman/podman.sock',
    '/home/me/.local/share/containers/podman/machine/podman.sock',
    '/run/podman/podman.sock',
  ])
})

test('a service without a home uses those of the system and of its user', () => {
  expect(usualSockets({ env: {}, uid: 7 }, [])).toEqual([
    '/var/run/docker.sock',
    '/run/user/7/docker.sock',
    '/run/user/7/podman/podman.sock',
    '/run/podman/podman.sock',
  ])
})

test('a runtime folder in another place is looked at before the usual one', () => {
  const sockets = usualSockets({ env: { XDG_RUNTIME_DIR: '/tmp/run' }, uid: 7 }, [])
  expect(sockets.slice(1, 3)).toEqual(['/tmp/run/docker.sock', '/run/user/7/docker.sock'])
})

test("colima's folder is $COLIMA_HOME, ~/.colima, or one in the folder of settings", () => {
  expect(colimaFolders({ env: { ...env, COLIMA_HOME: '/big/colima' }, uid: 1000 })).toEqual([
    '/big/colima',
    '/home/me/.colima',
    '/home/me/.config/colima',
  ])
  expect(colimaFolders({ env: { XDG_CONFIG_HOME: '/settings' }, uid: 1000 })).toEqual(['/settings/colima'])
})

test.each([
  ['/var/run/docker.sock', 'start it (sudo systemctl start docker)', 'Restart it (sudo systemctl restart docker)'],
  ['/home/me/.docker/run/docker.sock', 'start Docker Desktop', 'Restart Docker Desktop'],
  ['/home/me/.orbstack/run/docker.sock', 'start OrbStack (orb start)', 'Restart OrbStack'],
  ['/home/me/.colima/default/docker.sock', 'start colima (colima start)', 'Restart colima'],
  ['/home/me/.colima/big/docker.sock', 'start colima (colima start big)', 'Restart colima'],
  ['/home/me/.lima/docker/sock/docker.sock', 'start Lima (limactl start docker)', 'Restart Lima'],
  [
    '/run/podman/podman.sock',
    'start Podman (sudo systemctl start podman.socket)',
    'Restart Podman (sudo systemctl restart podman.socket)',
  ],
  [
    '/run/user/7/podman/podman.sock',
    'start Podman (systemctl --user start podman.socket)',
    'Restart Podman (systemctl --user restart podman.socket)',
  ],
  [
    '/run/user/7/docker.sock',
    'start Docker (systemctl --user start docker)',
    'Restart Docker (systemctl --user restart docker)',
  ],
  ['/anywhere.sock', 'start it (sudo systemctl start docker)', 'Restart it (sudo systemctl restart docker)'],
])('the engine at %s is started and restarted by its own command', (path, start, restart) => {
  expect([howToStart({ kind: 'unix', path }), howToRestart({ kind: 'unix', path })]).toEqual([start, restart])
})
