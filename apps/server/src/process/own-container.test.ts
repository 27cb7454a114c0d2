import { expect, test } from 'vitest'
import { hasOwnNetwork, ownContainer, type Surroundings } from './own-container.ts'

const ID = 'e3d94572657aafc8b866314ec4a50b2413779ed39365a2fa12e4e33db7958554'
const machine: Surroundings = {
  mountinfo: '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n22 27 0:21 / /proc rw - proc proc rw\n',
  cgroup: '0::/user.slice/user-1000.slice/user@1000.service/app.slice/beadloom.service\n',
  exists: () => false,
  interfaces: [
    { name: 'lo', ofMachine: false },
    { name: 'eth0', ofMachine: true },
    { name: 'docker0', ofMachine: true },
  ],
}
const overlay = '215 129 0:99 / / rw,relatime master:7 - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/A\n'
const inDocker: Surroundings = {
  mountinfo: `${overlay}306 215 254:0 /var/lib/docker/containers/${ID}/hostname /etc/hostname rw,relatime - ext4 /dev/vda rw\n`,
  cgroup: '0::/\n',
  exists: (path) => path === '/.dockerenv',
  interfaces: [
    { name: 'lo', ofMachine: false },
    { name: 'eth0', ofMachine: false },
  ],
}
const has = (...paths: string[]) => ({ exists: (path: string) => paths.includes(path) })

const places: [string, Surroundings, boolean, RegExp][] = [
  ['a machine', machine, false, /no engine/],
  ['a machine that was made of an image', { ...machine, ...has('/.dockerenv') }, false, /but \/ is \/dev\/vda/],
  ['Docker', inDocker, true, /^\/etc\/hostname is mounted from \/var\/lib\/docker\/containers/],
  [
    'Podman without root',
    {
      ...machine,
      mountinfo: `${overlay}9 8 0:1 /containers/overlay-containers/${ID}/userdata/hosts /etc/hosts rw - tmpfs tmpfs rw\n`,
    },
    true,
    /\/etc\/hosts is mounted/,
  ],
  ['Podman', { ...machine, ...has('/run/.containerenv') }, true, /containerenv/],
  [
    'Kubernetes',
    {
      ...machine,
      mountinfo: `${overlay}9 8 8:1 /var/lib/kubelet/pods/0f9d8a52-95a7-4b26-8a51-6ee5e9a9b3c1/etc-hosts /etc/hosts rw - ext4 /dev/sda1 rw\n`,
    },
    true,
    /etc-hosts/,
  ],
  ['control groups of Docker', { ...machine, cgroup: `4:memory:/docker/${ID}\n` }, true, /control group is \/docker\//],
  [
    'control groups of Docker under systemd',
    { ...machine, cgroup: `0::/system.slice/docker-${ID}.scope\n` },
    true,
    /control group/,
  ],
  ['a service of Docker’s own', { ...machine, cgroup: '0::/system.slice/docker.service\n' }, false, /no engine/],
  ['layers and /.dockerenv', { ...machine, mountinfo: overlay, ...has('/.dockerenv') }, true, /\/ is overlay/],
  ['layers alone, as a live system has', { ...machine, mountinfo: overlay }, false, /no engine/],
  ['no /proc at all', { ...machine, mountinfo: '', cgroup: '', ...has('/.dockerenv') }, false, /no layer/],
]

test.each(places)('%s is recognised', (_, seen, inside, reason) => {
  expect(ownContainer(seen)).toMatchObject({ inside, reason: expect.stringMatching(reason) })
})

test('the engine’s id is in its mounts, or in the control group', () => {
  expect(ownContainer(inDocker).id).toBe(ID)
  expect(ownContainer({ ...machine, cgroup: `0::/system.slice/docker-${ID}.scope\n` }).id).toBe(ID)
  expect(ownContainer({ ...machine, ...has('/run/.containerenv') }).id).toBeNull()
  expect(ownContainer(machine).id).toBeNull()
})

test('a network of its own has no card and no bridge', () => {
  expect(hasOwnNetwork(inDocker)).toBe(true)
  expect(hasOwnNetwork({ ...inDocker, interfaces: machine.interfaces })).toBe(false)
  expect(hasOwnNetwork({ ...machine, interfaces: inDocker.interfaces })).toBe(false)
})
