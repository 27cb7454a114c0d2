import { expect, test } from 'vitest'
import { isBefore, packageName } from './package-name.ts'
import { presetNames } from './agent-names.ts'
import { presets } from './presets.ts'

test.each([
  ['0.73.1', '0.74.0', true],
  ['0.9.0', '0.74.0', true],
  ['0.74.0', '0.74.0', false],
  ['0.74.0-beta.1', '0.74.0', false],
  ['0.100.0', '0.74.0', false],
  ['1.0.0', '0.74.0', false],
])('%s is before %s: %s', (version, other, before) => {
  expect(isBefore(version, other)).toBe(before)
})

test('a version from before a package was renamed is found under the former name', () => {
  expect(packageName(presets.pi, '0.73.1')).toBe('@mariozechner/pi-coding-agent')
  expect(packageName(presets.pi, '0.74.0')).toBe('@earendil-works/pi-coding-agent')
})

test.each(presetNames)('the tested version of %s is one of its present package', (name) => {
  expect(packageName(presets[name], presets[name].version)).toBe(presets[name].package)
})
