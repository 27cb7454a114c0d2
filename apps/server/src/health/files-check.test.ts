import { expect, test } from 'vitest'
import { checkFiles } from './files-check.ts'

test('with enough open files it says what they are for', () => {
  expect(checkFiles(3, 20_000)).toEqual({
    name: 'files',
    ok: true,
    text: 'the server may open 20000 files: 32 connections for each container, 512 for clients',
  })
  expect(checkFiles(3, Infinity)).toMatchObject({ ok: true, text: expect.stringContaining('any number of files') })
})

test('with too few it says how many are needed, and how to allow them', () => {
  expect(checkFiles(3, 128)).toMatchObject({
    ok: false,
    text: expect.stringMatching(/128 files: 8 connections .* may fail/),
    fix: expect.stringMatching(/ulimit -n 512 .* LimitNOFILE=512/),
  })
  expect(checkFiles(32, 1024).ok).toBe(false)
})
