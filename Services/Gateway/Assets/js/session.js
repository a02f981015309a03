// Whether somebody is signed in on this page.

export const signedIn = "signedIn" in document.documentElement.dataset;
