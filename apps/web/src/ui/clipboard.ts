/**
 * Puts text onto the clipboard that is still on its way. Where a page is not served securely browsers have no such
 * clipboard; there a hidden field is copied, which works as long as the person's key or click is fresh.
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
  if (!copied) throw new Error('This browser did not allow it. Open the log as plain text and copy from there.')
}
