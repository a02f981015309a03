// What the device itself still shows of what one was told.

/** Takes away what was told by these notices, which were read; all of it where none are named. */
export async function takeAway(notices) {
  const worker = await navigator.serviceWorker?.getRegistration();
  for (const shown of (await worker?.getNotifications?.()) ?? []) if (!notices || notices.includes(shown.data?.id)) shown.close();
}
