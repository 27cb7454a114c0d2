import { describe, expect, test } from 'vitest'
import { isLockFile } from '../files/lock-files.ts'
import { remadeNames, remakingOf } from './remake-locks.ts'

describe('lock files that their tools make anew', () => {
  test.each([
    ['package-lock.json', 'npm install --package-lock-only'],
    ['pnpm-lock.yaml', 'pnpm install --lockfile-only'],
    ['yarn.lock', 'yarn install'],
    ['bun.lock', 'bun install --lockfile-only'],
    ['uv.lock', 'uv lock'],
    ['poetry.lock', 'poetry lock'],
    ['pdm.lock', 'pdm lock'],
    ['Cargo.lock', 'cargo update --workspace'],
    ['go.sum', 'go mod tidy'],
    ['composer.lock', 'composer update'],
    ['Gemfile.lock', 'bundle lock'],
    ['mix.lock', 'mix deps.get'],
  ])('%s by its own', (name, tool) => {
    const [found] = remakingOf([name])
    expect(found).toMatchObject({ path: name, command: expect.stringContaining(tool) })
    expect(found?.writes).toContain(name)
  })

  test('in its folder, whose name is one word of a shell', () => {
    expect(remakingOf(['web app/Cargo.lock'])).toEqual([
      {
        path: 'web app/Cargo.lock',
        command: "cd 'web app' && cargo update --workspace",
        writes: ['web app/Cargo.lock'],
      },
    ])
  })

  test('go.mod is written by the tool of go.sum, too', () => {
    expect(remakingOf(['api/go.sum'])[0]?.writes).toEqual(['api/go.sum', 'api/go.mod'])
  })

  test('no other file is one, whatever it is called', () => {
    expect(
      remakingOf(['package.json', 'package-lock.json.orig', 'constructor', 'docs/toString', 'src/lock.ts']),
    ).toEqual([])
  })

  test('each is known as a lock file elsewhere', () => {
    // Go's sums are no lock: the versions are in go.mod.
    expect(remadeNames.filter((name) => !isLockFile(name))).toEqual(['go.sum'])
  })
})
