import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The request of an agent, a reviewer or a judge to its model. */
export type Asked = {
  model: string
  messages: { role: string; content: string }[]
  response_format?: { type: string }
}
export type Answers = (asked: Asked, response: ServerResponse) => void

/** A model's endpoint that answers as the test says, and keeps its requests. */
export class AnsweringEndpoint {
  readonly asked: Asked[] = []
  readonly url: string
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  }

  static async start(answers: Answers): Promise<AnsweringEndpoint> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const endpoint = new AnsweringEndpoint(server)
    server.on('request', (request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () => {
        const one = JSON.parse(body) as Asked
        endpoint.asked.push(one)
        answers(one, response)
      })
    })
    return endpoint
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
