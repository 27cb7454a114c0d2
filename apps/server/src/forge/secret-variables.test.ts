import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { forgeFilePath, writeForgeFile } from './forge-file.ts'
import { secretVariables } from './secret-variables.ts'

test('a variable with a key or a token is known by the settings, whatever its name, and also while the file is broken', async () => {
  const data = mkdtempSync(join(tmpdir(), 'bl-secrets-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  const names = secretVariables({ data, env: {} }, ['OUR_MODELS'])
  expect([...names()]).toEqual(expect.arrayContaining(['OUR_MODELS', 'GITHUB_TOKEN']))
  await writeForgeFile(data, {
    'git.example.org': { kind: 'gitea', tokenFrom: 'OUR_FORGE' },
    'github.com': { kind: 'github', token: 'from-file' },
  })
  expect(names()).toContain('OUR_FORGE')
  expect(names()).not.toContain('file')
  writeFileSync(forgeFilePath(data), 'no JSON')
  expect(names()).toContain('OUR_FORGE')
})
