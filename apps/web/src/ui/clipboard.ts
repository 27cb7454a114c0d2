/**
 * Copies text that may still be loading. A page that is not served securely has no such clipboard: it copies a hidden
 * field instead, which works only shortly after a key or click. Throws with advice on what to do instead.
 */
export async function copyText(text: Promise<string>): Promise<void> {
  if (isSecureContext && 'ClipboardItem' in globalThis) {
    const blob = text.then((done) => new Blob([done], { type: 'text/plain' }))
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return
  }
  const field = document.createElement('textarea')
  field.value = await text
  field.className = 'visually-hidden'
  const before = document.activeElement
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!copied) throw new Error('The browser refused to copy. Select the text on the page and copy it from there.')
}
