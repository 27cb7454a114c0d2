import { noToolchains } from '@beadloom/core/environment/toolchains/offer.ts'
import { parseProjectConfig, resolveSettings } from '@beadloom/core/project/project-config.ts'
import { expect, test } from 'vitest'
import { networkOfSetup } from './ways-out.ts'

const found = {
  setup: 'npm ci',
  test: 'npm test',
  checks: [],
  techStack: [],
  tools: [],
  devcontainer: null,
  tests: [],
  nested: [],
  untested: null,
  absent: [],
  services: [],
  toolchains: noToolchains,
}
const setupWith = (config: object) =>
  networkOfSetup(resolveSettings(parseProjectConfig(JSON.stringify(config)), found, 'demo', 'main'))

test('setup has the network, unless the project lists its hosts: an empty list counts, too', () => {
  expect([setupWith({}), setupWith({ network: 'none' }), setupWith({ network: 'bridge' })]).toEqual([
    'bridge',
    'bridge',
    'bridge',
  ])
  expect([setupWith({ network: { allow: ['example.org'] } }), setupWith({ network: { allow: [] } })]).toEqual([
    'none',
    'none',
  ])
  expect(setupWith({ setup: null })).toBe('none')
})
