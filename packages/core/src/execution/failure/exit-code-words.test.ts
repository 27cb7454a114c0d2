import { expect, test } from 'vitest'
import { exitCodeWords } from './exit-code-words.ts'

test.each<[number, string, RegExp]>([
  [
    126,
    'sh: 1: ./bin/setup: Permission denied',
    /^\.\/bin\/setup may not .* \(git update-index --chmod=\+x bin\/setup, /,
  ],
  [
    126,
    '/bin/bash: line 3: /opt/x: Permission denied',
    /^\/opt\/x may not be executed\. Make it executable \(chmod \+x\)/,
  ],
  [126, 'sh: 1: ./tool: Exec format error', /^\.\/tool cannot be executed: it is for another system/],
  [126, './run: cannot execute: required file not found', /^\.\/run cannot be executed/],
  [126, '', /^A program that it starts may not be executed/],
  [124, 'waiting', /^Its own time limit/],
  [134, 'FATAL ERROR: JavaScript heap out of memory', /limits\.memoryMb/],
  [137, '', /^It was killed \(SIGKILL\), mostly for lack of memory: raise "limits\.memoryMb"/],
  [139, 'Segmentation fault', /^One of its programs crashed \(SIGSEGV\)/],
  [143, 'Terminated', /^It was asked to end \(SIGTERM\)/],
])('exit code %i after %j is explained in words', (exitCode, output, says) => {
  expect(exitCodeWords(exitCode, output)).toMatch(says)
})

test.each([
  [1, 'error: no such file'],
  [200, 'x'],
  [null, ''],
])('exit code %s after %j is its own', (exitCode, output) => {
  expect(exitCodeWords(exitCode, output)).toBeNull()
})
