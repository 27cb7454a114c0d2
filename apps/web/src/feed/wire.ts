import type { Wire, WireEvents } from './live-socket.ts'

/** A browser WebSocket as a wire. Closing from our side is silent: the caller has already moved on. */
export function openWire(url: string, events: WireEvents): Wire {
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('open', () => events.opened())
  socket.addEventListener('message', (message: MessageEvent<string | ArrayBuffer>) => {
    if (typeof message.data === 'string') events.text(message.data)
    else events.bytes(new Uint8Array(message.data))
  })
  socket.addEventListener('close', (event) => events.closed(event.code))
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    },
    close: () => socket.close(),
  }
}
