import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import type { NetworkInterfaceInfo } from 'node:os'
import { expect, test } from 'vitest'
import { gatewayOf, isNeighbour, refuseNeighbours, type OwnNetwork } from './neighbours.ts'

const at = (address: string, cidr: string, internal = false): NetworkInterfaceInfo => ({
  address,
  cidr,
  internal,
  family: 'IPv4',
  netmask: '255.255.0.0',
  mac: '02:42:ac:11:00:02',
})
const own: OwnNetwork = {
  addresses: [at('127.0.0.1', '127.0.0.1/8', true), at('172.17.0.2', '172.17.0.2/16')],
  gateway: '172.17.0.1',
}

test.each([
  ['127.0.0.1', false],
  ['172.17.0.1', false],
  ['172.17.0.2', false],
  ['172.17.0.3', true],
  ['172.17.255.254', true],
  ['172.18.0.3', false],
  ['192.168.65.1', false],
  ['fe80::1', false],
])('%s is another container: %s', (address, neighbour) => expect(isNeighbour(address, own)).toBe(neighbour))

test('the gateway is read from the kernel’s table', () => {
  const head = 'Iface\tDestination\tGateway \tFlags\n'
  expect(gatewayOf(`${head}eth0\t000011AC\t00000000\t0001\neth0\t00000000\t010011AC\t0003\n`)).toBe('172.17.0.1')
  expect(gatewayOf(`${head}eth0\t000011AC\t00000000\t0001\n`)).toBeNull()
  expect(gatewayOf('')).toBeNull()
})

test('a neighbour is silently cut off, everybody else is heard', async () => {
  let network: OwnNetwork = { addresses: [], gateway: null }
  const server = createServer((socket) => socket.end(socket.destroyed ? '' : 'hello'))
  refuseNeighbours(server, undefined, () => network)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const heard = async (): Promise<string> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
    let text = ''
    socket.on('data', (part) => (text += String(part))).on('error', () => {})
    await once(socket, 'close')
    return text
  }
  expect(await heard()).toBe('hello')
  // As if loopback were a bridge with us at another address.
  network = { addresses: [at('127.0.0.9', '127.0.0.9/8')], gateway: '127.0.0.8' }
  expect(await heard()).toBe('')
  server.close()
})
