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
  ])('include %s, made by its own tool', (name, tool) => {
    const [found] = remakingOf([name])
    expect(found).toMatchObject({ path: name, command: expect.stringContaining(tool) })
    expect(found?.writes).toContain(name)
  })

  test('are made in their folder, whose name is one word of a shell', () => {
    expect(remakingOf(['web app/Cargo.lock'])).toEqual([
      {
        path: 'web app/Cargo.lock',
        command: "cd 'web app' && cargo update --workspace",
        writes: ['web app/Cargo.lock'],
      },
    ])
  })

  test('include go.mod, which is written by the tool of go.sum', () => {
    expect(remakingOf(['api/go.sum'])[0]?.writes).toEqual(['api/go.sum', 'api/go.mod'])
  })

  test('include no other file, whatever it is called', () => {
    expect(
      remakingOf(['package.json', 'package-lock.json.orig', 'constructor', 'docs/toString', 'src/lock.ts']),
    ).toEqual([])
  })

  test('are known as lock files elsewhere', () => {
    // Go's sums are no lock: the versions are in go.mod.
    expect(remadeNames.filter((name) => !isLockFile(name))).toEqual(['go.sum'])
  })
})
