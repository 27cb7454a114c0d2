// @suite unit-long
import { describe, expect, test } from 'vitest'
import { moduleAddress } from './module-address.ts'

const https = 'https://ada:token@git.example.org:8443/team/app.git'
const ssh = 'ssh://git@git.example.org:2222/team/app.git'
const scp = 'git@git.example.org:team/app.git'
const path = '/home/ada/app'

describe('the address of a submodule', () => {
  test.each([
    [https, '../lib.git', 'https://ada:token@git.example.org:8443/team/lib.git'],
    [https, './lib', 'https://ada:token@git.example.org:8443/team/app.git/lib'],
    [https, '../../team/lib', 'https://ada:token@git.example.org:8443/team/lib'],
    [https, 'https://git.example.org/team/lib.git', 'https://ada:token@git.example.org:8443/team/lib.git'],
    [https, 'https://eve:x@GIT.example.org/team/lib.git', 'https://ada:token@git.example.org:8443/team/lib.git'],
    [https, 'git@git.example.org:team/lib.git', 'https://ada:token@git.example.org:8443/team/lib.git'],
    [ssh, '../lib.git', 'ssh://git@git.example.org:2222/team/lib.git'],
    [ssh, 'https://git.example.org/team/lib', 'ssh://git@git.example.org:2222/team/lib'],
    [ssh, 'ssh://root@git.example.org/team/lib', 'ssh://git@git.example.org:2222/team/lib'],
    [scp, '../lib.git', 'git@git.example.org:team/lib.git'],
    [scp, 'https://git.example.org/team/lib.git', 'git@git.example.org:team/lib.git'],
    ['git.example.org:/srv/app.git', '../lib.git', 'git.example.org:/srv/lib.git'],
    [path, '../lib.git', '/home/ada/lib.git'],
    ['file:///srv/git/app.git', '../lib.git', '/srv/git/lib.git'],
  ])('in %s that reads %s is %s', (parent, url, address) => {
    expect(moduleAddress(parent, url)).toEqual({ address, asAnybody: false })
  })
})

describe('the address of a submodule in another folder of the host, without credentials,', () => {
  test.each([
    [https, '../../other/lib', 'https://git.example.org:8443/other/lib'],
    [https, 'https://git.example.org/other/lib.git', 'https://git.example.org:8443/other/lib.git'],
    [https, 'https://eve:x@GIT.example.org/other/lib.git', 'https://git.example.org:8443/other/lib.git'],
    [https, 'https://git.example.org/team-evil/lib.git', 'https://git.example.org:8443/team-evil/lib.git'],
    [https, 'git@git.example.org:other/lib.git', 'https://git.example.org:8443/other/lib.git'],
    [ssh, 'https://git.example.org/other/lib', 'https://git.example.org/other/lib'],
    [ssh, '../../other/lib', 'https://git.example.org/other/lib'],
    [scp, 'git@git.example.org:other/lib.git', 'https://git.example.org/other/lib.git'],
    [
      'https://git.example.org/app.git',
      'https://git.example.org/other/lib.git',
      'https://git.example.org/other/lib.git',
    ],
  ])('in %s that reads %s is %s', (parent, url, address) => {
    expect(moduleAddress(parent, url)).toEqual({ address, asAnybody: true })
  })
})

describe('no host is asked', () => {
  test.each([
    [
      https,
      'https://elsewhere.example/lib.git',
      /it is on elsewhere\.example, and the project is on git\.example\.org/,
    ],
    [https, 'ext::sh -c touch% /tmp/x', /none that Beadloom uses/],
    [https, 'ext::touch', /none that Beadloom uses/],
    [https, 'fd::3', /none that Beadloom uses/],
    [https, 'git://git.example.org/lib', /none that Beadloom uses/],
    [https, '-upload-pack=evil', /none that Beadloom uses/],
    [https, '--upload-pack=evil', /none that Beadloom uses/],
    [https, '../../../../etc', /out of the host/],
    [https, '../-oProxyCommand=x', /none that Beadloom uses/],
    [https, '../a%2e%2e%2f%2e%2e%2fb', /none that Beadloom uses/],
    [https, '..\\..\\x', /none that Beadloom uses/],
    [https, 'https://git.example.org/', /none that Beadloom uses/],
    [https, 'https://git.example.org/a\nhost=other', /none that Beadloom uses/],
    [https, '/etc', /folder of somebody/],
    [https, 'file:///etc', /folder of somebody/],
    [https, '', /none that Beadloom uses/],
    [https, 'x'.repeat(2000), /none that Beadloom uses/],
    [scp, 'git@other.example:lib.git', /it is on other\.example/],
    [scp, 'ssh://-oProxyCommand=x/lib', /none that Beadloom uses|it is on/],
    [scp, 'git@git.example.org:-x/lib', /none that Beadloom uses/],
    [path, '../../eve/private', /another folder of this machine/],
    [path, '/home/eve/private', /folder of somebody/],
    [path, 'https://example.org/lib.git', /not in the working tree/],
  ])('for a submodule of a project at %s: %s', (parent, url, why) => {
    expect(moduleAddress(parent, url)).toEqual({ why: expect.stringMatching(why) })
  })
})
