// The camera: idle → live → taken → used. Buttons show what the state allows, and nothing else.

import { text } from "./text.js";

const part = (root, name) => root.querySelector(`[data-${name}]`);

export class Camera {
  #root;
  #video;
  #preview;
  #stream;
  #picture;
  #photographed = false;

  /** @param used called with the picture (a Blob) that the person decided on. @param file an `<input type="file">` to choose with. */
  constructor(root, file, used) {
    this.#root = root;
    this.#video = root.querySelector("video");
    this.#preview = part(root, "preview");
    const on = (name, action) => part(root, name).addEventListener("click", action);
    on("open", () => this.#open(file));
    on("choose", () => this.#choose(file, false));
    on("capture", () => this.#capture());
    on("stop", () => this.#show("idle"));
    on("retake", () => (this.#photographed ? this.#open(file) : this.#show("idle")));
    on("use", () => (this.close(), used(this.#picture)));
    file.addEventListener("change", () => file.files[0] && this.#took(file.files[0], false));
    addEventListener("pagehide", () => this.close());
    this.#show("idle");
  }

  /** Back to where a picture can be taken; the last one is still there to use. */
  reopen() {
    this.#show(this.#picture ? "taken" : "idle");
  }

  close() {
    this.#stream?.getTracks().forEach((track) => track.stop());
    this.#stream = null;
    this.#video.srcObject = null;
  }

  async #open(file) {
    if (!navigator.mediaDevices?.getUserMedia) return this.#choose(file, true);
    this.#say(text("camera.asking"));
    try {
      this.#stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: { ideal: "environment" }, width: { ideal: 2048 }, height: { ideal: 1536 } } });
      this.#video.srcObject = this.#stream;
      await this.#video.play();
      this.#show("live");
    } catch (error) {
      this.#show("idle");
      this.#say(text(error.name === "NotAllowedError" ? "camera.refused" : "camera.none"));
    }
  }

  #choose(file, capture) {
    file.toggleAttribute("capture", capture);
    file.value = "";
    file.click();
  }

  async #capture() {
    const { videoWidth, videoHeight } = this.#video;
    const canvas = Object.assign(document.createElement("canvas"), { width: videoWidth, height: videoHeight });
    canvas.getContext("2d").drawImage(this.#video, 0, 0);
    this.#took(await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9)), true);
  }

  #took(picture, photographed) {
    this.#picture = picture;
    this.#photographed = photographed;
    URL.revokeObjectURL(this.#preview.src);
    this.#preview.src = URL.createObjectURL(picture);
    this.#show("taken");
  }

  #say(sentence) {
    part(this.#root, "message").textContent = sentence;
  }

  #show(state) {
    if (state !== "live") this.close();
    if (state === "idle") this.#say(text("camera.idle"));
    this.#video.hidden = state !== "live";
    this.#preview.hidden = state !== "taken";
    part(this.#root, "idle").hidden = state !== "idle";
    part(this.#root, "capture").hidden = state !== "live";
    part(this.#root, "start").hidden = state !== "idle";
    part(this.#root, "decide").hidden = state !== "taken";
    part(this.#root, "stop-row").hidden = state !== "live";
    const next = { live: "capture", taken: "use" }[state];
    if (next) part(this.#root, next).focus();
  }
}
