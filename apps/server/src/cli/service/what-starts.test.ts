import { expect, test } from 'vitest'
import { leftOut, whatStarts } from './what-starts.ts'

const own = {
  node: '/opt/app/node_modules/node/bin/node',
  bin: '/opt/app/node_modules/beadloom/apps/server/bin/beadloom.mjs',
}
const from = (env: Record<string, string>) =>
  whatStarts(own, '/data', '/config/env', { env, cwd: '/here', isRoot: false })

test('variables that a server reads, except secrets, come from the terminal', () => {
  const env = {
    PATH: '/a/node_modules/.bin:/usr/bin:/a/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin:.:/bin:/usr/bin',
    DOCKER_HOST: 'unix:///run/user/1000/docker.sock',
    BEADLOOM_PORT: '4700',
    BEADLOOM_DATA: '/elsewhere',
    BEADLOOM_MODEL: '',
    BEADLOOM_CA_BUNDLE: 'ca.pem',
    OPENAI_API_KEY: 'sk-secret',
    HTTPS_PROXY: 'http://me:secret@proxy',
    EDITOR: 'vi',
  }
  expect(from(env).variables).toEqual({
    PATH: '/usr/bin:/bin',
    DOCKER_HOST: 'unix:///run/user/1000/docker.sock',
    BEADLOOM_CA_BUNDLE: '/here/ca.pem',
    BEADLOOM_PORT: '4700',
  })
  expect(leftOut(env)).toEqual(['HTTPS_PROXY', 'OPENAI_API_KEY'])
})

test('a variable that a unit cannot hold is left out', () => {
  expect(from({ BEADLOOM_MODEL: 'a\nExecStartPre=/bin/evil' }).variables).toEqual({})
})

test.each([
  ['/home/me/.npm/_npx/0a1b2c/node_modules/beadloom/bin.mjs'],
  ['/home/me/.cache/pnpm/dlx/1/2/node_modules/beadloom/bin.mjs'],
  ['/tmp/xfs-1/dlx-123/node_modules/beadloom/bin.mjs'],
  ['/tmp/bunx-1000-beadloom/node_modules/beadloom/bin.mjs'],
])('a Beadloom in a cache, as %s, cannot be a service', (bin) => {
  expect(() => whatStarts({ ...own, bin }, '/data', '/config/env', { env: {}, cwd: '/', isRoot: false })).toThrow(
    'Install it where it stays',
  )
})

test('a folder whose name ends a line is refused', () => {
  expect(() => whatStarts(own, '/da\nta', '/config/env', { env: {}, cwd: '/', isRoot: false })).toThrow('Rename it')
})
