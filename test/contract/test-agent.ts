/**
 * Takes the agent's place: runs the program (a JavaScript module) that its order has as the command of a `setup`. The
 * session's handlers answer its calls of `ask(path)`.
 */
export const TEST_AGENT = `import { readSync } from 'node:fs'
import { request } from 'node:http'
const gate = process.env.BEADLOOM_GATE
if (gate && readSync(Number(gate), Buffer.alloc(1)) === 0) process.exit(70)
const ask = (path) => new Promise((resolve, reject) => {
  const asking = request(process.env.BEADLOOM_LINK_URL + path, { agent: false }, async (response) => {
    response.setEncoding('utf8')
    let text = ''
    for await (const part of response) text += part
    resolve({ status: response.statusCode, text })
  })
  asking.on('error', reject).end()
})
const order = async () => {
  for (;;) {
    const answer = await ask('/session').catch(() => null)
    if (answer?.status === 200) return JSON.parse(answer.text)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
globalThis.ask = async (path) => (await ask(path)).text
await import('data:text/javascript,' + encodeURIComponent((await order()).work.command))
`
