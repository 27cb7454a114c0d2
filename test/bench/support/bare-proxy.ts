import { Agent, createServer, request } from 'node:http'

/*
 * The least that a proxy can do: it passes requests and answers on unchanged. It reads no body, counts nothing, limits
 * nothing and keeps no key. Arguments: the socket to listen on, the address to pass on to.
 */

const [socketPath, to] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })

const server = createServer((asked, response) => {
  const passed = request(new URL(asked.url ?? '/', to), { method: asked.method, headers: asked.headers, agent })
  passed.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  asked.pipe(passed)
})
server.listen(socketPath, () => console.log('listening'))
