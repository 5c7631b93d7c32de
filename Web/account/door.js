// What a visitor may open first: one file, so that the way from one to the other needs no network.
import "./sign-in.js";
import "./sign-up.js";
