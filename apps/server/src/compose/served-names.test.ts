import { expect, test } from 'vitest'
import { inUrl, servedNames } from './served-names.ts'

const OWN = ['172.17.0.2', 'fd00::2']

test('a server answers under the names of this machine, and pages of these may ask it', () => {
  const { hosts, origins } = servedNames(4400, '127.0.0.1', null, [])
  expect(hosts).toEqual(expect.arrayContaining(['127.0.0.1:4400', 'localhost:4400', '[::1]:4400']))
  expect(origins).toContain('http://localhost:4400')
})

test('it answers under the address of its proxy, too', () => {
  const { hosts, origins } = servedNames(4400, '127.0.0.1', 'https://beads.example.org', [])
  expect(hosts).toContain('beads.example.org')
  expect(origins).toContain('https://beads.example.org')
})

test("it answers probes of its container's addresses, from which no page may ask", () => {
  const { hosts, origins } = servedNames(4400, '127.0.0.1', null, OWN)
  expect(hosts).toEqual(expect.arrayContaining(['172.17.0.2:4400', '[fd00::2]:4400']))
  expect(hosts).not.toContain('172.17.0.2')
  expect(origins.join()).not.toMatch(/172|fd00/)
})

test('on the usual port a probe may leave the port out', () => {
  const { hosts } = servedNames(80, '127.0.0.1', null, OWN)
  expect(hosts).toEqual(expect.arrayContaining(['172.17.0.2', '172.17.0.2:80', '[fd00::2]', '[fd00::2]:80']))
})

test('an address of IPv6 is in brackets in a URL', () => {
  expect(['::1', '127.0.0.1', 'localhost'].map(inUrl)).toEqual(['[::1]', '127.0.0.1', 'localhost'])
})
